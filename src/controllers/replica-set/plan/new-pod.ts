// Pods from the template of a set.
// Kubernetes: pkg/controller.GetPodFromTemplate, getPodsPrefix
import type { OwnerReference, Pod, ReplicaSet } from '../../../api/types.ts'

type Template = NonNullable<ReplicaSet['spec']>['template']

const maxNameLength = 253

/** Of the metadata of the template, only labels, annotations and finalizers are used. */
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

/** Without the dash if the name has the maximum length. */
function generateNameOf(ownerName: string): string {
  return ownerName.length < maxNameLength ? `${ownerName}-` : ownerName
}
