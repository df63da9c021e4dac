// Subresources that are served over HTTP only: they stream, or connect to a server in a pod. Each kind's are in its folder.
// Ours: what a kind adds to HTTP, as one interface.
import type { Kind } from '../../api/machinery/kind.ts'
import type { KubernetesObject } from '../../api/types.ts'
import type { Request } from '../http/request.ts'
import type { Rest } from '../rest/rest.ts'
import { podConnections } from './pod/pod-connections.ts'
import type { Exec } from './pod/pod-exec.ts'
import type { ReadLog } from './pod/pod-log.ts'
import type { RespondHttp } from './pod/pod-proxy.ts'
import { serviceConnections } from './service/service-connections.ts'

/** What simulated containers do. */
export interface Containers {
  readonly readLog: ReadLog
  readonly exec: Exec
  readonly respondHttp: RespondHttp
}

export interface ConnectionParts extends Containers {
  readonly rest: Rest
}

export interface Connection {
  /** The methods that are allowed. Absent: all. */
  readonly methods?: readonly string[]
  /** Whether the caller has to be allowed to `create`, whatever the method: it runs a command in a pod, or reaches its ports. */
  readonly needsCreate?: boolean
  /** The object to connect to, in the words of the request. Default: the name in the path. */
  nameOf?(target: string): string
  /** The options as an object, which webhooks and policies review. Absent: the connection is not reviewed. */
  optionsOf?(request: Request): KubernetesObject
  /** `target` is the name in the path. Throws or rejects with a StatusError. */
  connect(request: Request, namespace: string, target: string, parts: ConnectionParts): void | Promise<void>
}

export interface KindConnections {
  readonly kind: Kind
  /** By the name of the subresource. */
  readonly connections: Readonly<Record<string, Connection>>
}

const byType = new Map([podConnections, serviceConnections].map(({ kind, connections }) => [kind.type, connections]))

/** Undefined: the subresource is read and written as an object, or the kind has none of that name. */
export const findConnection = ({ type }: Kind, subresource: string): Connection | undefined => byType.get(type)?.[subresource]
