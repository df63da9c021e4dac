// `rollcall/testing`: what tests import.
export type * from './cluster-api.ts'
export type * from './matcher-api.ts'
export { matchers } from './matchers.ts'
export type * from './server-api.ts'
export { createCluster } from './test-cluster.ts'
export { startServer } from './test-server.ts'
