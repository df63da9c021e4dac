// Creates placeholders for Secrets that pods wait for: those that a program in another pod would create, such as the certificate of a webhook.
// Ours: simulated pods run no program that would create these Secrets.
import { pods as podKind, secrets as secretKind } from '../../api/kinds.ts'
import { ignoring } from '../../api/machinery/status-error.ts'
import { parseTime } from '../../base/clock.ts'
import { buildController } from '../../runtime/controller.ts'
import type { RecordingControllerParts, RunningController } from '../../runtime/controller-parts.ts'
import type { ControllerDefinition } from '../controller-definition.ts'
import { requiredSecrets } from './plan/missing-secrets.ts'

/** How long a pod waits for its Secrets: a chart may create them after its workloads. */
const patienceMs = 30_000
const workers = 1
const assumedLabel = 'rollcall.dev/assumed'

export const assumedSecrets: ControllerDefinition = {
  name: 'assumed-secrets',
  isWanted: ({ assumesSecrets = false }) => assumesSecrets,
  start: startAssumedSecrets,
}

export function startAssumedSecrets(options: RecordingControllerParts): RunningController {
  const { clock, informers, recorder } = options
  const secrets = informers.get(secretKind)
  return buildController(options, {
    name: 'assumed_secrets',
    for: podKind,
    workers,
    reads: [secrets],
    delayOf: (pod, previous) =>
      previous === undefined ? parseTime(pod.metadata.creationTimestamp!) + patienceMs - clock.now() : undefined,
    async reconcile(pod, { client }) {
      if (pod.status?.phase !== 'Pending' || pod.metadata.deletionTimestamp !== undefined) return
      const { namespace = '' } = pod.metadata
      for (const [name, keys] of requiredSecrets(pod)) {
        if (secrets.get(`${namespace}/${name}`) !== undefined) continue
        const data = Object.fromEntries([...keys].sort().map((key) => [key, btoa(`assumed ${key}`)]))
        const secret = { metadata: { name, labels: { [assumedLabel]: 'true' } }, type: 'Opaque', data }
        const created = await ignoring('AlreadyExists', client.create(secretKind, namespace, secret))
        const message = `Created a placeholder for Secret "${name}", for which the pod has waited 30 seconds`
        if (created !== undefined) recorder.record(pod, 'Normal', 'AssumedSecret', message)
      }
    },
  })
}
