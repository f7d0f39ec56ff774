export {
  createRestateClient,
  type RestateClient,
  type RestateClientOptions,
  type StartOptions,
} from './create-restate-client.ts'
export {
  createRestateHost,
  type CloseHostOptions,
  type RestateHost,
  type RestateHostOptions,
} from './create-restate-host.ts'
export type { DecideHostedOptions, FollowOptions, HostedRun } from './hosted-run.ts'
export type { Endpoint, EndpointOptions } from './open-endpoint.ts'
export type { HostedResult } from './run-order.ts'
