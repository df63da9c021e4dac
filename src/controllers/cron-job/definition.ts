// Kubernetes: cmd/kube-controller-manager/app.newCronJobControllerDescriptor
import { cronJobs, jobs } from '../../api/kinds.ts'
import type { CronJob, KubernetesObject, Stored } from '../../api/types.ts'
import type { RemoteControllerDefinition } from '../controller-definition.ts'
import { probeJobTemplate } from '../shared/probe.ts'
import { startCronJobController } from './cron-job-controller.ts'

const missingJob = 'rollcall-preflight-missing'

export const cronJobController: RemoteControllerDefinition = {
  name: 'cronjob-controller',
  start: startCronJobController,
  remote: {
    flag: 'cronjob',
    builtIn: 'cronjob-controller',
    kinds: [cronJobs, jobs],
    permissions: [
      'get,list,watch batch cronjobs',
      'update batch cronjobs/status',
      'update batch cronjobs/finalizers',
      'get,list,watch,create,delete batch jobs',
    ],
    // The controller removes a Job that does not exist from the list of active ones, also while the CronJob is suspended.
    probe: {
      kind: cronJobs,
      object: () =>
        ({ spec: { suspend: true, schedule: '0 0 1 1 *', jobTemplate: { spec: { template: probeJobTemplate } } } }) as KubernetesObject,
      async provoke(client, created) {
        const { namespace = '' } = created.metadata
        const active = [{ apiVersion: 'batch/v1', kind: 'Job', namespace, name: missingJob, uid: created.metadata.uid }]
        await client.updateStatus(cronJobs, { ...(created as Stored<CronJob>), status: { active } })
      },
      isAnswered: (current) => ((current as CronJob | undefined)?.status?.active?.length ?? 0) === 0,
    },
  },
}
