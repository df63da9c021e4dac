// Node labels that have been renamed.
// Kubernetes: pkg/api/node.GetNodeLabelDeprecatedMessage, deprecatedNodeLabels, GetWarningsForNodeSelectorTerm
import { isValidLabelValue } from '../../../machinery/validation/names.ts'

export const deprecatedNodeLabels = new Map([
  ['beta.kubernetes.io/arch', 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ['beta.kubernetes.io/os', 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  ['failure-domain.beta.kubernetes.io/region', 'deprecated since v1.17; use "topology.kubernetes.io/region" instead'],
  ['failure-domain.beta.kubernetes.io/zone', 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead'],
  ['beta.kubernetes.io/instance-type', 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead'],
  ['app.kubernetes.io/created-by', 'deprecated since v1.9'],
  ['scheduler.alpha.kubernetes.io/preferAvoidPods', 'deprecated since v1.22; use Taints and Tolerations instead'],
  ['node-role.kubernetes.io/master', 'use "node-role.kubernetes.io/control-plane" instead'],
])

interface NodeSelectorTerm {
  readonly matchExpressions?: readonly { readonly key: string; readonly values?: readonly string[] }[]
}

/** With `checksValues`, also values that no label can have: in a preference they are a warning and not an error. */
export function nodeSelectorTermWarnings(term: NodeSelectorTerm, checksValues: boolean, path: string): string[] {
  const warnings: string[] = []
  for (const [i, { key, values }] of (term.matchExpressions ?? []).entries()) {
    const here = `${path}.matchExpressions[${i}]`
    const message = deprecatedNodeLabels.get(key)
    if (message !== undefined) warnings.push(`${here}.key: ${key} is ${message}`)
    if (checksValues)
      for (const [at, value] of (values ?? []).entries())
        for (const wrong of isValidLabelValue(value)) warnings.push(`${here}.values[${at}]: ${value} is invalid, ${wrong}`)
  }
  return warnings
}
