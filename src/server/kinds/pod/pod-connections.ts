// Connections to the containers of a pod: its log, commands, its ports.
// Kubernetes: pkg/registry/core/pod/rest.AttachREST.*, ExecREST.*, PortForwardREST.*
import { nodes, pods } from '../../../api/kinds.ts'
import { badRequestError, failure, isStatusError, notFoundError } from '../../../api/machinery/status-error.ts'
import type { KubernetesObject, Node, Pod } from '../../../api/types.ts'
import { mediaTypes, negotiatePlain } from '../../http/media-types.ts'
import type { Query } from '../../http/query.ts'
import type { Rest } from '../../rest/rest.ts'
import type { Connection, KindConnections } from '../connections.ts'
import { runExec } from './pod-exec.ts'
import { chooseContainer, sendLog } from './pod-log.ts'
import { proxyOptions, sendProxied, splitProxyName } from './pod-proxy.ts'

const readPod = (rest: Rest, namespace: string, name: string) => rest.get(pods, namespace, name).object as Pod

/** Throws where the node does not exist, with Kubernetes' message, or has no address. */
function requireNode(rest: Rest, { spec }: Pod): void {
  const name = spec?.nodeName ?? ''
  let node: Node
  try {
    node = rest.get(nodes, '', name).object as Node
  } catch (error) {
    // The message names the pods of a node: Kubernetes reports the error of the node as one of the resource that was asked for.
    throw isStatusError(error, 'NotFound') ? notFoundError(pods, name) : error
  }
  if ((node.status?.addresses ?? []).length === 0) throw failure(500, '', 'no preferred addresses found; known addresses: []')
}

function requireHost(rest: Rest, pod: Pod): void {
  if (!pod.spec?.nodeName) throw badRequestError(`pod ${pod.metadata?.name} does not have a host assigned`)
  requireNode(rest, pod)
}

const cannotConnect = (subresource: string, name: string) =>
  badRequestError(`cannot ${subresource} pod ${JSON.stringify(name)}: simulated pods run no processes and open no ports`)

const readsAndPosts: Pick<Connection, 'methods' | 'needsCreate'> = { methods: ['GET', 'POST'], needsCreate: true }

const log: Connection = {
  methods: ['GET'],
  connect(request, namespace, name, { rest, readLog }) {
    negotiatePlain(request.exchange.header('accept'), ['text/plain', ...mediaTypes])
    return sendLog(request, name, () => readPod(rest, namespace, name), { requireNode: (pod) => requireNode(rest, pod), readLog })
  },
}

const exec: Connection = {
  ...readsAndPosts,
  optionsOf: ({ query }) => streamOptions('PodExecOptions', query, { command: query.all('command') }),
  connect(request, namespace, name, { rest, exec }) {
    const pod = readPod(rest, namespace, name)
    chooseContainer(pod, request.query.text('container') ?? '')
    requireHost(rest, pod)
    return runExec(request, pod, exec)
  },
}

const attach: Connection = {
  ...readsAndPosts,
  optionsOf: ({ query }) => streamOptions('PodAttachOptions', query, {}),
  connect(request, namespace, name, { rest }) {
    const pod = readPod(rest, namespace, name)
    chooseContainer(pod, request.query.text('container') ?? '')
    requireHost(rest, pod)
    throw cannotConnect('attach', name)
  },
}

const portforward: Connection = {
  ...readsAndPosts,
  optionsOf({ query }) {
    const ports = query.all('ports').flatMap((one) => one.split(',').map(Number))
    return { kind: 'PodPortForwardOptions', apiVersion: 'v1', ...(ports.length > 0 && { ports }) } as KubernetesObject
  },
  connect({ query }, namespace, name, { rest }) {
    const wrong = query.all('ports').find((port) => !/^[0-9]+$/.test(port))
    if (wrong !== undefined)
      throw badRequestError(`cannot convert to []int32: strconv.ParseUint: parsing ${JSON.stringify(wrong)}: invalid syntax`)
    requireHost(rest, readPod(rest, namespace, name))
    throw cannotConnect('portforward', name)
  },
}

const proxy: Connection = {
  nameOf: (target) => splitProxyName(target).name,
  optionsOf: (request) => proxyOptions(request, 'PodProxyOptions'),
  connect(request, namespace, target, { rest, respondHttp }) {
    const { name, port, isTls } = splitProxyName(target)
    return sendProxied(request, readPod(rest, namespace, name), { port, isTls }, respondHttp)
  },
}

export const podConnections: KindConnections = { kind: pods, connections: { attach, exec, log, portforward, proxy } }

function streamOptions(kind: string, query: Query, more: object): KubernetesObject {
  const container = query.text('container')
  const streams = ['stdin', 'stdout', 'stderr', 'tty'].filter((one) => query.flag(one))
  const shown = { kind, apiVersion: 'v1', ...Object.fromEntries(streams.map((one) => [one, true])), ...(container && { container }) }
  return { ...shown, ...more } as KubernetesObject
}
