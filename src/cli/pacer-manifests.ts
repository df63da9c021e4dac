// `rollcall pacer manifests`.
import { policyObjects, webhookObjects } from '../cluster/remote/pacer-admission-objects.ts'
import type { PacerManifestOptions } from './pacer.ts'

export async function printManifests({ admission, name, namespace, webhookUrl }: PacerManifestOptions): Promise<void> {
  const { stringify } = await import('yaml')
  const objects = admission === 'policy' ? policyObjects({ name, namespace }) : webhookObjects({ name, namespace }, webhookUrl)
  process.stdout.write(objects.map((object) => stringify(object, { lineWidth: 0 })).join('---\n'))
}
