// Requests as the .proto files name their fields. gRPC's loader drops what it does not know without a word,
// and a position without its rules would be answered wrong: so both spellings of JSON are taken, and
// anything else is refused.

const PACKAGE = 'rheingold.v1.';

const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

/** Return a copy of `value` with the field names of the message type; throws TypeError for unknown fields. */
export function named(definition, typeName, value, where = '') {
  const type = definition[PACKAGE + typeName]?.type;
  if (!type || !isObject(value)) return value;
  const found = {};
  for (const [key, content] of Object.entries(value)) {
    if (content === undefined) continue;
    const field = type.field.find(({ name }) => name === key || camel(name) === key);
    const path = where ? `${where}.${key}` : key;
    if (!field) throw new TypeError(`${path}: ${typeName} has no such field`);
    found[field.name] = fieldValue(definition, type, field, content, path);
  }
  return found;
}

function fieldValue(definition, type, field, content, path) {
  const entry = type.nestedType.find(({ name, options }) => name === field.typeName && options?.mapEntry);
  if (entry && isObject(content)) {
    const of = entry.field.find(({ name }) => name === 'value').typeName;
    const rows = Object.entries(content).map(([key, one]) => [key, named(definition, of, one, `${path}[${key}]`)]);
    return Object.fromEntries(rows);
  }
  if (Array.isArray(content)) {
    return content.map((one, index) => named(definition, field.typeName, one, `${path}[${index}]`));
  }
  return named(definition, field.typeName, content, path);
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
