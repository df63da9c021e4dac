// Reads the ClusterTrustBundles that pods mount.
// Kubernetes: pkg/kubelet/clustertrustbundle.InformerManager.GetTrustAnchorsByName, InformerManager.GetTrustAnchorsBySigner
import { clusterTrustBundles } from '../api/kinds.ts'
import type { ClusterTrustBundle } from '../api/types.ts'
import { matchesLabels, selectorRequirements } from '../base/label-selector.ts'
import type { Informer } from '../runtime/informer.ts'
import type { SharedInformers } from '../runtime/shared-informers.ts'
import type { TrustBundleChoice } from './kubelet/sync-context.ts'
import type { FleetEnvironment } from './node-environment.ts'

/** For a server that has ClusterTrustBundles. */
export function createTrustBundleReader(informers: SharedInformers): NonNullable<FleetEnvironment['readTrustBundles']> {
  const informer = informers.get(clusterTrustBundles)
  return (choice) => chosenBundles(informer, choice)
}

/** A signer without a selector has no bundles, one with an empty selector all of its own. */
function chosenBundles(
  informer: Informer<ClusterTrustBundle>,
  { name, signerName, labelSelector }: TrustBundleChoice,
): readonly ClusterTrustBundle[] {
  if (name !== undefined) {
    const bundle = informer.get(name)
    return bundle === undefined ? [] : [bundle]
  }
  const requirements = selectorRequirements(labelSelector)
  if (requirements === undefined) return []
  return [...informer.values()].filter(
    ({ spec, metadata }) => spec.signerName === signerName && matchesLabels(requirements, metadata.labels),
  )
}
