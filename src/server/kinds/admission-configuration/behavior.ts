// Webhook configurations, policies and their bindings.
// Ours: what is read from these objects is kept until one of them changes.
import { configurationKinds } from '../../admission/dynamic/dynamic-admission.ts'
import { findExpressionErrors } from '../../admission/dynamic/expression-checks.ts'
import { compileWith } from '../compiled-expressions.ts'
import type { BehaviorDefinition } from '../kind-behavior.ts'

export const admissionConfigurationBehavior: BehaviorDefinition = {
  kinds: configurationKinds,
  define: ({ dynamicAdmission }) => ({
    compile: compileWith(findExpressionErrors),
    changed: () => dynamicAdmission.changed(),
  }),
}
