// The pod that a set makes from its template.
import type { OwnerReference, Pod, ReplicaSet } from '../../../api/types.ts'

type Template = NonNullable<ReplicaSet['spec']>['template']

const longestName = 253

/** The template's labels, annotations and finalizers are the pod's; nothing else of its metadata is. */
export function podFromTemplate(template: Template, ownerName: string, owner: OwnerReference): Pod {
  const { labels, annotations, finalizers } = template?.metadata ?? {}
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: generateNameOf(ownerName),
      ...(labels !== undefined && { labels }),
      ...(annotations !== undefined && { annotations }),
      ...(finalizers !== undefined && { finalizers }),
      ownerReferences: [owner],
    },
    ...(template?.spec !== undefined && { spec: template.spec }),
  }
}

/** The dash is for the eye, and left out where the name has no room for it. */
function generateNameOf(ownerName: string): string {
  return ownerName.length < longestName ? `${ownerName}-` : ownerName
}
