// A small client of the Rheingold service for Node.js. The .proto files are read at run time.

import { fileURLToPath } from 'node:url';
import path from 'node:path';
import grpc from '@grpc/grpc-js';
import protoLoader from '@grpc/proto-loader';
import { named } from './fields.js';

const PROTO = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../proto');

const LOADING = {
  keepCase: true, // field names as in the .proto files and in JSON
  longs: Number,
  enums: String,
  defaults: true,
  oneofs: true,
  includeDirs: [PROTO],
};

/** Load the service's definition from the .proto files. */
function loadDefinition(proto) {
  return protoLoader.loadSync('rheingold/v1/optimizer_service.proto', { ...LOADING, includeDirs: [proto] });
}

/** A call that the server refused: `code`, `message`, `requestId`. */
export class CallError extends Error {
  constructor(error) {
    super(error.details || error.message);
    this.code = error.code;
    this.status = grpc.status[error.code];
    this.requestId = String(error.metadata?.get('x-request-id')?.[0] ?? '');
  }
}

export class Client {
  /**
   * @param {string} target host:port
   * @param {{token?: string, credentials?: grpc.ChannelCredentials, timeout?: number, proto?: string}} [options]
   *   `timeout` is the deadline of each call in seconds; the server answers a little before it.
   */
  constructor(target = '127.0.0.1:50051', { token = '', credentials, timeout, proto = PROTO } = {}) {
    this.definition = loadDefinition(proto);
    const Service = grpc.loadPackageDefinition(this.definition).rheingold.v1.RouteOptimizer;
    this.stub = new Service(target, credentials ?? grpc.credentials.createInsecure());
    this.token = token;
    this.timeout = timeout;
  }

  close() {
    this.stub.close();
  }

  /** Find the best routes: resolves to `{solution, cached}`. */
  optimize(position, { limits, fixed } = {}) {
    return this.#unary('Optimize', { position, limits, fixed: fixed?.map(routeMessage) });
  }

  /** Tell whether routes are legal and what they earn. */
  evaluate(position, routes) {
    return this.#unary('Evaluate', { position, routes: routes.map(routeMessage) });
  }

  /** List what is built in. */
  listTitles() {
    return this.#unary('ListTitles', {});
  }

  /** Yield `{solution, final, cached}` for each better solution, then the final one. */
  async *optimizeStream(position, { limits, fixed } = {}) {
    const fields = { position, limits, fixed: fixed?.map(routeMessage) };
    const request = named(this.definition, 'OptimizeStreamRequest', fields);
    yield* this.#read(this.stub.OptimizeStream(request, this.#metadata(), this.#options()));
  }

  /** Yield `{id, solution | problem, cached}` for each item `{id, position, limits}`, as they finish. */
  async *optimizeBatch(items) {
    const call = this.stub.OptimizeBatch(this.#metadata(), this.#options());
    let fault;
    const sending = send(call, items, (item) => named(this.definition, 'OptimizeBatchRequest', item)).catch((error) => {
      fault = error;
      call.cancel();
    });
    try {
      yield* this.#read(call);
    } catch (error) {
      throw fault ?? error;
    }
    await sending;
  }

  async *#read(call) {
    try {
      for await (const message of call) yield message;
    } catch (error) {
      throw new CallError(error);
    } finally {
      call.cancel();
    }
  }

  async #unary(method, fields) {
    const request = named(this.definition, `${method}Request`, fields);
    return new Promise((resolve, reject) => {
      this.stub[method](request, this.#metadata(), this.#options(), (error, response) =>
        error ? reject(new CallError(error)) : resolve(response),
      );
    });
  }

  #metadata() {
    const metadata = new grpc.Metadata();
    if (this.token) metadata.set('authorization', `Bearer ${this.token}`);
    return metadata;
  }

  #options() {
    return this.timeout ? { deadline: Date.now() + this.timeout * 1000 } : {};
  }
}

/** Send items as fast as the server takes them. */
async function send(call, items, message) {
  for await (const item of items) {
    if (!call.write(message(item))) {
      await new Promise((resolve) => {
        call.once('drain', resolve);
        call.once('close', resolve);
      });
    }
  }
  call.end();
}

/** A route of a run_routes action as a message: lists of hexes are ListValues. */
export function routeMessage(route) {
  const connections = route.connections.map((chain) => ({
    values: chain.map((hex) => ({ stringValue: hex })),
  }));
  const { train, hexes, nodes, revenue, revenue_str } = route;
  return { train, connections, hexes, nodes, revenue, revenue_str };
}

/** The `routes` of a run_routes action of 18xx.games, ready to submit. */
export function runRoutes(solution) {
  return solution.routes.map((route) => ({
    train: route.train,
    connections: route.connections.map((chain) => chain.values.map((value) => value.stringValue)),
    hexes: route.hexes,
    revenue: route.revenue,
    revenue_str: route.revenue_str,
    nodes: route.nodes,
  }));
}
