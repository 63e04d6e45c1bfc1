// Requests as the .proto files name their fields. gRPC's loader drops what it does not know without a word,
// cuts numbers to the bits of their field and takes every text for true: a position without its rules, or
// with other figures, would be answered wrong. So both spellings of JSON are taken, and anything else is
// refused.

const PACKAGE = 'rheingold.v1.';

const WHOLE = { TYPE_INT32: [-(2 ** 31), 2 ** 31 - 1], TYPE_INT64: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] };

const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

/**
 * Return a copy of `value` with the field names of the message type; throws TypeError for unknown fields and
 * values of another type, RangeError for numbers beyond their field.
 */
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
    const of = entry.field.find(({ name }) => name === 'value');
    const rows = Object.entries(content).map(([key, one]) => [key, single(definition, of, one, `${path}[${key}]`)]);
    return Object.fromEntries(rows);
  }
  if (Array.isArray(content)) {
    return content.map((one, index) => single(definition, field, one, `${path}[${index}]`));
  }
  return single(definition, field, content, path);
}

function single(definition, field, content, path) {
  if (content === null) return content;
  if (field.type === 'TYPE_BOOL' && typeof content !== 'boolean') {
    throw new TypeError(`${path}: must be true or false, not ${JSON.stringify(content)}`);
  }
  if (field.type in WHOLE) checkWhole(content, path, ...WHOLE[field.type]);
  return named(definition, field.typeName, content, path);
}

function checkWhole(content, path, least, most) {
  const number = typeof content === 'string' && content.trim() ? Number(content) : content; // JSON takes both
  if (!Number.isInteger(number)) {
    throw new TypeError(`${path}: must be a whole number, not ${JSON.stringify(content)}`);
  }
  if (number < least || number > most) throw new RangeError(`${path}: must be from ${least} to ${most}, not ${content}`);
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
