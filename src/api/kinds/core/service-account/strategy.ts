import type { Strategy } from '../../../machinery/kind.ts'
import { andAsNew } from '../../../machinery/validation/metadata.ts'
import type { ServiceAccount, Writable } from '../../../types.ts'

const mountableSecrets = 'kubernetes.io/enforce-mountable-secrets'

export const serviceAccountStrategy: Strategy<ServiceAccount> = {
  names: 'dns-subdomain',
  prepareForCreate: keepSecretNames,
  prepareForUpdate: keepSecretNames,
  validateUpdate: andAsNew('namespaced', 'dns-subdomain'),
  warnings({ metadata }, current) {
    const annotates = (object: ServiceAccount) => Object.hasOwn(object.metadata?.annotations ?? {}, mountableSecrets)
    if (!annotates({ metadata } as ServiceAccount) || (current !== undefined && annotates(current))) return []
    return [
      `metadata.annotations[${mountableSecrets}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
    ]
  },
}

/** Only the name of a reference to a secret is stored. */
function keepSecretNames(account: Writable<ServiceAccount>): void {
  if (account.secrets) account.secrets = account.secrets.map(({ name }) => (name === undefined ? {} : { name }))
}
