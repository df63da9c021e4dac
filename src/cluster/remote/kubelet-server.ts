// The part of the kubelet's API that `kubectl logs` and `kubectl exec` reach through the API server, for all simulated nodes of a
// process. A pod is found by namespace and name, so that one server is enough.
//
// Caveats: exec takes WebSockets, which a Kubernetes API server passes on since 1.36; attach and port-forward are not served.
// Requests are not authenticated: there is nothing in a simulated container to protect.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { Duplex } from 'node:stream'
import type { Pod, Stored } from '../../api/types.ts'
import type { Fleet } from '../../nodes/fleet.ts'
import { Query, unescapePercent } from '../../server/http/query.ts'
import { acceptWebSocket } from '../../server/http/web-socket.ts'
import { chooseProtocol, startExecSession } from '../../server/kinds/pod/pod-exec.ts'
import { logOptionsOf } from '../../server/kinds/pod/pod-log.ts'
import { createAuthority, createCertificate } from '../credentials/certificates.ts'
import { closeServer, guarded, listen } from './listening.ts'

interface KubeletServerOptions {
  /** An address of this machine at which the API server can reach it. */
  readonly address: string
  readonly port: number
  readonly nowMs: number
  findPod(namespace: string, name: string): Stored<Pod> | undefined
  /** The nodes of the process; undefined before they have started. */
  fleet(): Pick<Fleet, 'readLog' | 'exec'> | undefined
}

interface KubeletServer {
  readonly address: string
  readonly port: number
  stop(): Promise<void>
}

interface Target {
  readonly operation: string
  readonly pod: Stored<Pod>
  readonly container: string
  readonly query: Query
}

export async function startKubeletServer(options: KubeletServerOptions): Promise<KubeletServer> {
  const { address, port, nowMs } = options
  const authority = createAuthority('rollcall-nodes', nowMs)
  const { key, certificate } = createCertificate(authority, { commonName: 'rollcall-nodes', use: 'server', hosts: [address] }, nowMs)
  const server = createServer({ key, cert: certificate })
  server.on(
    'request',
    guarded((request: IncomingMessage, response: ServerResponse) => serveLog(options, request, response)),
  )
  server.on(
    'upgrade',
    guarded((request: IncomingMessage, socket: Duplex, head: Buffer) => serveExec(options, request, socket, head)),
  )
  const explain = ({ message }: Error) =>
    new Error(`Cannot serve logs and exec on ${address}:${port}: ${message}. Choose another with --kubelet-address.`)
  return { address, port: await listen(server, address, port, explain), stop: () => closeServer(server) }
}

/** `/OPERATION/NAMESPACE/POD/CONTAINER`, the path of a request from the API server. */
function findTarget({ findPod }: KubeletServerOptions, { url = '' }: IncomingMessage): Target | string {
  const [path = '', query = ''] = url.split('?', 2)
  const [operation = '', namespace, name, container] = path.slice(1).split('/').map(unescapePercent)
  if (namespace === undefined || name === undefined || container === undefined) return `there is nothing at ${path}`
  const pod = findPod(namespace, name)
  if (pod === undefined) return `pod ${JSON.stringify(`${namespace}/${name}`)} does not exist on this node`
  return { operation, pod, container, query: new Query(query) }
}

async function serveLog(options: KubeletServerOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const answer = (code: number, text: string) => {
    response.writeHead(code, { 'content-type': 'text/plain' })
    response.end(text)
  }
  const target = findTarget(options, request)
  if (typeof target === 'string') return answer(404, target)
  const { operation, pod, container, query } = target
  if (operation !== 'containerLogs')
    return answer(
      400,
      operation === 'exec'
        ? 'exec takes WebSocket, which the API server of Kubernetes 1.36 or newer passes on'
        : `simulated nodes do not serve ${operation}`,
    )
  const log = options.fleet()?.readLog(pod, logOptionsOf(query, container))
  if (log === undefined || typeof log === 'string') return answer(200, log ?? '')
  response.writeHead(200, { 'content-type': 'text/plain' })
  response.flushHeaders()
  const lines = log[Symbol.asyncIterator]()
  response.on('close', () => void lines.return?.())
  for (let next = await lines.next(); !next.done && !response.destroyed; next = await lines.next())
    if (!response.write(next.value)) await new Promise<void>((resolve) => response.once('drain', resolve).once('close', resolve))
  response.end()
}

function serveExec(options: KubeletServerOptions, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const refuse = (text: string) =>
    socket.end(
      `HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    )
  const target = findTarget(options, request)
  if (typeof target === 'string') return void refuse(target)
  const { operation, pod, container, query } = target
  const protocol = chooseProtocol(request.headers['sec-websocket-protocol'])
  const fleet = options.fleet()
  if (operation !== 'exec') return void refuse(`simulated nodes do not serve ${operation}`)
  if (protocol === undefined || fleet === undefined)
    return void refuse('exec takes WebSocket, which the API server of Kubernetes 1.36 or newer passes on')
  const hasStarted = startExecSession({
    pod,
    container,
    command: query.all('command'),
    hasInput: query.flag('input') ?? false,
    hasOutput: query.flag('output') ?? false,
    hasError: query.flag('error') ?? false,
    isTerminal: query.flag('tty') ?? false,
    protocol,
    exec: fleet.exec,
    upgrade: (listener) => acceptWebSocket({ request, socket, head }, protocol, listener),
  })
  if (!hasStarted) refuse(`container not found (${JSON.stringify(container)})`)
}
