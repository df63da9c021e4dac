// Reviews: kinds that are only created, and whose response is the created object. They are never stored.
// Ours: what reviews have in common.
import type { Kind } from './kind.ts'
import { resource } from './schema/resource.ts'

export const reviewKind = (type: string): Kind => ({ ...resource(type), strategy: { names: 'any' } })
