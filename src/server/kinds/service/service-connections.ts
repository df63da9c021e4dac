// …/services/x/proxy: the response of a server in a pod behind the service.
// Kubernetes: pkg/registry/core/service.ProxyREST.*
import { endpoints, pods, services } from '../../../api/kinds.ts'
import { failure } from '../../../api/machinery/status-error.ts'
import type { Endpoints, Pod, Service } from '../../../api/types.ts'
import type { Rest } from '../../rest/rest.ts'
import type { KindConnections } from '../connections.ts'
import { proxyOptions, sendProxied, splitProxyName } from '../pod/pod-proxy.ts'

export const serviceConnections: KindConnections = {
  kind: services,
  connections: {
    proxy: {
      nameOf: (target) => splitProxyName(target).name,
      optionsOf: (request) => proxyOptions(request, 'ServiceProxyOptions'),
      connect(request, namespace, target, { rest, respondHttp }) {
        const { name, port, isTls } = splitProxyName(target)
        const found = findServicePod(rest, namespace, name, port)
        return sendProxied(request, found.pod, { port: found.port, isTls }, respondHttp)
      },
    },
  },
}

const unavailable = (message: string) => failure(503, 'ServiceUnavailable', message)

/** A pod behind the service, and its port. Throws a StatusError where there is none. */
function findServicePod(rest: Rest, namespace: string, name: string, port: string): { readonly pod: Pod; readonly port: string } {
  const service = rest.get(services, namespace, name).object as Service
  const ports = service.spec?.ports ?? []
  const chosen = port === '' ? ports[0] : ports.find((one) => one.name === port || String(one.port) === port)
  if (chosen === undefined) throw unavailable(`no service port ${JSON.stringify(port)} found for service ${JSON.stringify(name)}`)
  const { subsets = [] } =
    rest.list(endpoints, namespace, { fieldSelector: `metadata.name=${name}` }).items.map(({ object }) => object as Endpoints)[0] ?? {}
  for (const { addresses = [], ports: open = [] } of subsets) {
    const target = open.find((one) => (one.name ?? '') === (chosen.name ?? ''))
    const found = addresses.find(({ targetRef }) => targetRef?.kind === 'Pod')?.targetRef?.name
    if (target !== undefined && found !== undefined)
      return { pod: rest.get(pods, namespace, found).object as Pod, port: String(target.port) }
  }
  throw unavailable(`no endpoints available for service ${JSON.stringify(name)}`)
}
