// Objects that select devices by expressions.
// Ours: which objects have such expressions.
import { deviceClasses, resourceClaims, resourceClaimTemplates, resourceSlices } from '../../../api/kinds.ts'
import { findSelectorErrors } from '../../admission/dynamic/expression-checks.ts'
import { compileWith } from '../compiled-expressions.ts'
import type { BehaviorDefinition } from '../kind-behavior.ts'

export const deviceBehavior: BehaviorDefinition = {
  kinds: [deviceClasses, resourceClaims, resourceClaimTemplates, resourceSlices],
  define: () => ({
    // What a claim requests cannot change.
    compile: async (write) => (write.kind.type === resourceClaims.type && write.current ? undefined : compile(write)),
  }),
}

const compile = compileWith(findSelectorErrors)
