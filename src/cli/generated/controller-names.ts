// Written by test/derived-files.test.ts from the definitions of the controllers, which a command line that is only parsed does not load.
export const controllerNames: readonly string[] = [
  'deployment',
  'replicaset',
  'replicationcontroller',
  'job',
  'cronjob',
  'ttl-after-finished',
  'statefulset',
  'daemonset',
]
