// `rollcall pacer manifests`.
import { evictionObjects, policyObjects, webhookObjects } from '../cluster/pacer/pacer-admission-objects.ts'
import type { PacerManifestOptions } from './pacer.ts'

export async function printManifests({ admission, name, namespace, webhookUrl, evictions = false }: PacerManifestOptions): Promise<void> {
  const { stringify } = await import('yaml')
  const here = { name, namespace }
  const ofPods = admission === 'policy' ? policyObjects(here) : admission === 'webhook' ? webhookObjects(here, webhookUrl) : []
  const objects = [...ofPods, ...(evictions ? evictionObjects(here, webhookUrl) : [])]
  process.stdout.write(objects.map((object) => stringify(object, { lineWidth: 0 })).join('---\n'))
}
