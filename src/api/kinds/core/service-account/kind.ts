// Kubernetes: pkg/registry/core/serviceaccount.strategy.*
// Kubernetes: pkg/printers/internalversion.printServiceAccount
import { nameAndAge } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { ServiceAccount, Writable } from '../../../types.ts'

const mountableSecrets = 'kubernetes.io/enforce-mountable-secrets'

export const serviceAccounts: Kind<ServiceAccount> = {
  ...resource('core.ServiceAccount'),
  strategy: {
    prepareForCreate: keepSecretNames,
    prepareForUpdate: keepSecretNames,
    metadata: { onUpdate: ['changes', 'as new'] },
    warnings({ metadata }, current) {
      const annotates = (object: ServiceAccount) => Object.hasOwn(object.metadata?.annotations ?? {}, mountableSecrets)
      if (!annotates({ metadata } as ServiceAccount) || (current !== undefined && annotates(current))) return []
      return [
        `metadata.annotations[${mountableSecrets}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
      ]
    },
  },
  columns: nameAndAge,
  returnsDeletedObject: true,
}

/** Only the name of a reference to a secret is stored. */
function keepSecretNames(account: Writable<ServiceAccount>): void {
  if (account.secrets) account.secrets = account.secrets.map(({ name }) => (name === undefined ? {} : { name }))
}
