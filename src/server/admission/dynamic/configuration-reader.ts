// Access to the cluster for webhooks and policies: objects, kinds, services and compiled expressions.
// Ours: what webhooks and policies read of the cluster, as one interface.
import type { Kind } from '../../../api/machinery/kind.ts'
import type { KubernetesObject } from '../../../api/types.ts'
import type { Authorizer } from '../../auth/authorizer.ts'
import type { ServiceReader } from '../../webhooks/webhook-address.ts'
import type { FindEquivalents } from './equivalent-requests.ts'
import type * as Expressions from './expressions.ts'

export interface ConfigurationReader {
  readonly authorizer: Authorizer
  /** All objects of a kind. Namespace '' means all namespaces, or that of cluster-scoped kinds. */
  list(kind: Kind, namespace: string): readonly KubernetesObject[]
  /** The kind of parameters; undefined when it is not served. */
  findKind(apiVersion: string, kind: string): Kind | undefined
  readonly equivalents: FindEquivalents
  /** Finds what listens behind a service. */
  readonly services: ServiceReader
  /** Whether webhooks in simulated pods, in which no server runs, are ignored with a warning. */
  readonly ignoresSimulated: boolean
  /** Loads the language of expressions, which most clusters never need. */
  expressions(): Promise<typeof Expressions>
  /** The compiled expression; `compile` is called for the first use of a text, and its error is thrown again for each use. */
  compiled(expression: string, compile: () => Expressions.Program): Expressions.Program
}
