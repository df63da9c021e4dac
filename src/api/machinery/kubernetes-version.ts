// Ours: the version that this program says it is.
import { kubernetesVersion } from './generated/kubernetes.ts'

const [major = '', minor = ''] = kubernetesVersion.slice(1).split('.')

/** The version of Kubernetes whose API is served. */
export const kubernetes = { major, minor, version: kubernetesVersion }
