// Reports in the status of ValidatingAdmissionPolicies which of their expressions do not fit the kinds that they are for.
// Kubernetes: pkg/controller/validatingadmissionpolicystatus.Controller.reconcile
import { validatingAdmissionPolicies } from '../../api/kinds.ts'
import { apiVersionOf } from '../../api/machinery/kind.ts'
import type { KindSource } from '../../api/machinery/kind-set.ts'
import type { Stored, ValidatingAdmissionPolicy } from '../../api/types.ts'
import { buildController } from '../../runtime/controller.ts'
import type { CommonParts, RunningController } from '../../runtime/controller-parts.ts'
import type { ControllerDefinition } from '../controller-definition.ts'

interface PolicyStatusParts extends CommonParts {
  readonly kinds: KindSource
}

export const policyStatusController: ControllerDefinition = {
  name: 'validatingadmissionpolicy-status',
  isWanted: ({ servesPolicies = false }) => servesPolicies,
  start: startPolicyStatusController,
}

/** A generation is checked once: a kind that is defined later does not change its warnings, as in Kubernetes. */
export function startPolicyStatusController({ kinds, ...parts }: PolicyStatusParts): RunningController {
  return buildController(parts, {
    name: 'ValidatingAdmissionPolicyStatus',
    for: validatingAdmissionPolicies,
    workers: 1,
    async reconcile({ metadata, ...policy }: Stored<ValidatingAdmissionPolicy>, { client }) {
      const { name, generation = 0 } = metadata
      if (generation <= (policy.status?.observedGeneration ?? 0)) return
      // Most clusters have no policies, and need no CEL.
      const { findTypeWarnings } = await import('./plan/type-check.ts')
      const expressionWarnings = findTypeWarnings({ metadata, ...policy }, kinds.current())
      const { kind } = validatingAdmissionPolicies
      const status = { observedGeneration: generation, typeChecking: expressionWarnings.length > 0 ? { expressionWarnings } : {} }
      const applied = { apiVersion: apiVersionOf(validatingAdmissionPolicies), kind, metadata: { name }, status }
      await client.patch(validatingAdmissionPolicies, { name }, 'apply', applied, { subresource: 'status', force: true })
    },
  })
}
