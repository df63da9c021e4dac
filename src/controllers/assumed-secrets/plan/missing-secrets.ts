// Secrets that a pod cannot start without, and what a placeholder for each contains.
// Ours: simulated pods run no program that would create these Secrets.

import type { Pod } from '../../../api/types.ts'
import { getOrAdd } from '../../../base/maps.ts'

/** The keys that a pod reads from each of its Secrets, by the name of the Secret. Optional references are left out. */
export function requiredSecrets({ spec }: Pod): ReadonlyMap<string, ReadonlySet<string>> {
  const secrets = new Map<string, Set<string>>()
  const need = (name: string | undefined, isOptional: boolean | undefined, keys: readonly string[]) => {
    if (!name || isOptional === true) return
    const known = getOrAdd(secrets, name, () => new Set())
    for (const key of keys) known.add(key)
  }
  const keysOf = (items: readonly { readonly key: string }[] | undefined) => items?.map(({ key }) => key) ?? certificateKeys
  for (const { secret, projected } of spec?.volumes ?? []) {
    if (secret !== undefined) need(secret.secretName, secret.optional, keysOf(secret.items))
    for (const source of projected?.sources ?? [])
      if (source.secret !== undefined) need(source.secret.name, source.secret.optional, keysOf(source.secret.items))
  }
  for (const { env, envFrom } of [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])]) {
    for (const { valueFrom } of env ?? []) {
      const reference = valueFrom?.secretKeyRef
      if (reference !== undefined) need(reference.name, reference.optional, [reference.key])
    }
    for (const { secretRef } of envFrom ?? []) if (secretRef !== undefined) need(secretRef.name, secretRef.optional, [])
  }
  return secrets
}

/** A volume without a list of keys most often holds the certificate of a webhook. */
const certificateKeys: readonly string[] = ['ca.crt', 'tls.crt', 'tls.key']
