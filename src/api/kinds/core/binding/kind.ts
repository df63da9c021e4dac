// Kubernetes: pkg/registry/core/pod/storage.LegacyBindingREST.*
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { Binding } from '../../../types.ts'

export const bindings: Kind<Binding> = {
  ...resource('core.Binding'),
  strategy: { names: 'any' },
}
