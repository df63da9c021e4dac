// Kubernetes: cmd/kube-controller-manager/app.newJobControllerDescriptor
import { jobs, pods } from '../../api/kinds.ts'
import type { Job, KubernetesObject, Stored } from '../../api/types.ts'
import { formatTime } from '../../base/clock.ts'
import type { RemoteControllerDefinition } from '../controller-definition.ts'
import { preflightAnnotation, probeJobTemplate as template } from '../shared/probe.ts'
import { startJobController } from './job-controller.ts'
import { startTtlController } from './time-to-live-controller.ts'

export const jobController: RemoteControllerDefinition = {
  name: 'job-controller',
  start: startJobController,
  remote: {
    flag: 'job',
    builtIn: 'job-controller',
    kinds: [jobs, pods],
    permissions: [
      'get,list,watch batch jobs',
      'update batch jobs/status',
      'update batch jobs/finalizers',
      'get,list,watch,create,update,patch,delete core pods',
    ],
    // The controller marks a suspended Job as suspended.
    probe: {
      kind: jobs,
      object: () => ({ spec: { suspend: true, template } }) as KubernetesObject,
      isAnswered: (current) => ((current as Job | undefined)?.status?.conditions?.length ?? 0) > 0,
    },
  },
}

export const ttlAfterFinishedController: RemoteControllerDefinition = {
  name: 'ttl-after-finished-controller',
  start: startTtlController,
  remote: {
    flag: 'ttl-after-finished',
    builtIn: 'ttl-after-finished-controller',
    kinds: [jobs],
    permissions: ['get,list,watch,delete batch jobs'],
    // The controller deletes a finished Job at once. `managedBy` keeps the Job controller away from it.
    probe: {
      kind: jobs,
      object: () => ({ spec: { ttlSecondsAfterFinished: 0, suspend: true, managedBy: preflightAnnotation, template } }) as KubernetesObject,
      async provoke(client, created, nowMs) {
        const at = formatTime(nowMs)
        const condition = (type: string) => ({ type, status: 'True', lastTransitionTime: at, lastProbeTime: at, reason: 'Preflight' })
        const status = {
          startTime: at,
          completionTime: at,
          uncountedTerminatedPods: {},
          conditions: [condition('SuccessCriteriaMet'), condition('Complete')],
        }
        await client.updateStatus(jobs, { ...(created as Stored<Job>), status } as Stored<Job>)
      },
      isAnswered: (current) => current === undefined || current.metadata.deletionTimestamp !== undefined,
    },
  },
}
