// A small client of the Rheingold service for Node.js. The .proto files are read at run time.

import { fileURLToPath } from 'node:url';
import path from 'node:path';
import grpc from '@grpc/grpc-js';
import protoLoader from '@grpc/proto-loader';

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
function loadService(proto) {
  const definition = protoLoader.loadSync('rheingold/v1/optimizer_service.proto', {
    ...LOADING,
    includeDirs: [proto],
  });
  return grpc.loadPackageDefinition(definition).rheingold.v1.RouteOptimizer;
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
    const Service = loadService(proto);
    this.stub = new Service(target, credentials ?? grpc.credentials.createInsecure());
    this.token = token;
    this.timeout = timeout;
  }

  close() {
    this.stub.close();
  }

  /** Find the best routes: resolves to `{solution, cached}`. */
  optimize(position, { limits, fixed } = {}) {
    return this.#unary('Optimize', { position, limits, fixed });
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
    const request = { position, limits, fixed };
    yield* this.#read(this.stub.OptimizeStream(request, this.#metadata(), this.#options()));
  }

  /** Yield `{id, solution | problem, cached}` for each item `{id, position, limits}`, as they finish. */
  async *optimizeBatch(items) {
    const call = this.stub.OptimizeBatch(this.#metadata(), this.#options());
    const sending = send(call, items);
    yield* this.#read(call);
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

  #unary(method, request) {
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
async function send(call, items) {
  for await (const item of items) {
    if (!call.write(item)) {
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
  return { ...route, connections };
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
