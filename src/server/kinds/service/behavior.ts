// Addresses of Services.
// Kubernetes: pkg/registry/core/service/storage.REST.beginCreate, REST.beginUpdate
import { services } from '../../../api/kinds.ts'
import type { Service, Writable } from '../../../api/types.ts'
import { entryOf } from '../../rest/scope.ts'
import type { BehaviorDefinition } from '../kind-behavior.ts'
import { ServiceAddresses } from './service-addresses.ts'

export const serviceBehavior: BehaviorDefinition = {
  kinds: [services],
  define({ storage, random }) {
    const addresses = new ServiceAddresses(storage.store, random, (record) => entryOf(storage, services, record).object as Service)
    return {
      allocate(write) {
        if (write.subresource !== undefined) return
        const { spec } = write.next as Writable<Service>
        const assign = () => addresses.assign(write.next as Writable<Service>, write.current as Service | undefined)
        assign()
        // Addresses that were requested are kept; others are chosen anew where they are in use by now.
        write.allocateAgain = () => {
          try {
            assign()
          } catch {
            ;(write.next as Writable<Service>).spec = spec!
            assign()
          }
        }
      },
    }
  },
}
