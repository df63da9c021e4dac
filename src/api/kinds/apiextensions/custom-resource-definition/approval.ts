// Kubernetes: k8s.io/apiextensions-apiserver/pkg/apihelpers.GetAPIApprovalState, IsProtectedCommunityGroup
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/controller/apiapproval.calculateCondition
import type { CustomResourceDefinition, DefinitionCondition } from '../../../machinery/structural/definition.ts'

export const approvalAnnotation = 'api-approved.kubernetes.io'

/** A definition in a group of Kubernetes itself needs the approval of its community; undefined for other groups. */
export function planApproval({ spec, metadata }: CustomResourceDefinition): DefinitionCondition | undefined {
  if (!/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(spec.group)) return undefined
  const value = metadata?.annotations?.[approvalAnnotation] ?? ''
  const [status, reason, message] =
    value === ''
      ? (['False', 'MissingAnnotation', mustHave('')] as const)
      : value.startsWith('unapproved')
        ? (['False', 'UnapprovedAnnotation', `not approved: ${JSON.stringify(value)}`] as const)
        : /^https?:\/\/[^/]+/.test(value)
          ? (['True', 'ApprovedAnnotation', `approved in ${value}`] as const)
          : (['False', 'InvalidAnnotation', mustHave(' with either a URL or a reason starting with "unapproved"')] as const)
  return { type: 'KubernetesAPIApprovalPolicyConformant', status, reason, message }
}

const mustHave = (how: string) =>
  `protected groups must have approval annotation "${approvalAnnotation}"${how}, see https://github.com/kubernetes/enhancements/pull/1111`
