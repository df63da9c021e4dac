// What can be done to whom. Nothing else is here, so that the command line can print it without loading a cluster.

export const nodeActions = ['down', 'up', 'drain'] as const
export const podActions = ['crash', 'hang', 'unready', 'fail-readiness', 'fail-liveness', 'recover'] as const
export const apiActions = ['slow', 'refuse'] as const
export const controllerActions = ['stop', 'start', 'stale', 'restart'] as const
