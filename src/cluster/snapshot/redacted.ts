// Objects of a snapshot without the values of Secrets.
import type { KubernetesObject, ObjectMeta } from '../../api/types.ts'
import type { SavedObject } from './snapshot-file.ts'

/** `redacted`, in base64. */
const nothing = 'cmVkYWN0ZWQ='
/** kubectl keeps the whole manifest there. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

export function withoutSecretValues(saved: SavedObject): SavedObject {
  if (!saved.key.startsWith('secrets/')) return saved
  const { data, metadata, ...rest } = saved.object as KubernetesObject & { readonly data?: Readonly<Record<string, string>> }
  const { annotations, ...others } = (metadata ?? {}) as ObjectMeta
  const kept = Object.entries(annotations ?? {}).filter(([name]) => name !== lastApplied)
  const object = {
    ...rest,
    metadata: { ...others, ...(kept.length > 0 && { annotations: Object.fromEntries(kept) }) },
    ...(data && { data: Object.fromEntries(Object.keys(data).map((name) => [name, nothing])) }),
  }
  return { ...saved, object }
}
