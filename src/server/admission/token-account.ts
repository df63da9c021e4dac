// Replaces the ServiceAccount plugin where that is off: a pod that mounts a token and names no service account gets the default account.
// Other pods get neither an account nor a token volume.
// Ours: a cluster without the plugin ServiceAccount still gives tokens.
import { pods } from '../../api/kinds.ts'
import { KnownSpecs } from '../../api/machinery/known-specs.ts'
import type { Pod, Writable } from '../../api/types.ts'
import { type AdmissionPlugin, among, creates } from './plugin.ts'

type Spec = NonNullable<Writable<Pod>['spec']>

const named = new KnownSpecs<Spec>()
const mountsToken = ({ volumes = [] }: Spec) =>
  volumes.some(({ projected }) => projected?.sources?.some(({ serviceAccountToken }) => serviceAccountToken !== undefined))

export const tokenAccount: AdmissionPlugin = {
  concerns: among(pods),
  admit(write) {
    if (!creates(write)) return
    const pod = write.next as Writable<Pod>
    const { spec } = pod
    if (spec === undefined || spec.serviceAccountName) return
    pod.spec = named.of(spec, [], () => (mountsToken(spec) ? { ...spec, serviceAccountName: 'default', serviceAccount: 'default' } : spec))
  },
}
