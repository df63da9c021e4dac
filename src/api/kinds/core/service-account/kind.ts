import { nameAndAge } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import type { ServiceAccount } from '../../../types.ts'
import { serviceAccountTypes } from './schema.ts'
import { serviceAccountStrategy } from './strategy.ts'

export const serviceAccounts: Kind<ServiceAccount> = {
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  shortNames: ['sa'],
  namespaced: true,
  type: 'core.ServiceAccount',
  types: serviceAccountTypes,
  strategy: serviceAccountStrategy,
  subresources: { others: [{ name: 'token', group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest', verbs: ['create'] }] },
  columns: nameAndAge,
  returnsDeletedObject: true,
}
