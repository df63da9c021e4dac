// The Deployments of benchmarks, and whether they are as requested.
import type { Deployment, KubernetesObject } from '../src/api/types.ts'

interface PodChoices {
  readonly image?: string
  readonly requests?: Readonly<Record<string, string>>
  /** Further fields of the pod's spec. */
  readonly spec?: object
}

export const deploymentOf = (name: string, replicas: number, { image = 'example/web:1', requests, spec }: PodChoices = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'web', image, ...(requests && { resources: { requests } }) }], ...spec },
    },
  },
})

/** A strategic merge patch of such a Deployment. */
export const imagePatch = (image: string) => ({ spec: { template: { spec: { containers: [{ name: 'web', image }] } } } })

type Replicated = KubernetesObject &
  Pick<Deployment, 'metadata'> & {
    readonly spec?: { readonly replicas?: number }
    readonly status?: {
      readonly observedGeneration?: number
      readonly replicas?: number
      readonly updatedReplicas?: number
      readonly availableReplicas?: number
    }
  }

/** Of a Deployment or StatefulSet: all its replicas are updated and available, and there are no others. */
export const isRolledOut = ({ metadata, spec, status }: Replicated): boolean =>
  status?.observedGeneration === metadata?.generation &&
  [status?.replicas, status?.updatedReplicas, status?.availableReplicas].every((count) => (count ?? 0) === (spec?.replicas ?? 0))
