// The environment variables for the services of a namespace and for the API server.
// Kubernetes: pkg/kubelet/envvars.FromServices, makeLinkVariables
// Kubernetes: pkg/kubelet.Kubelet.getServiceEnvVarMap
import type { Service } from '../../api/types.ts'
import { urlHostOf } from '../../base/url-host.ts'

const variableName = (text: string) => text.toUpperCase().replaceAll('-', '_')

export function addServiceVariables(variables: Map<string, string>, { metadata, spec }: Service): void {
  const { clusterIP = '', ports = [] } = spec ?? {}
  const first = ports[0]
  if (clusterIP === '' || clusterIP === 'None' || first === undefined) return
  const name = variableName(metadata?.name ?? '')
  const addressOf = ({ port, protocol = 'TCP' }: typeof first) => `${protocol.toLowerCase()}://${urlHostOf(clusterIP)}:${port}`
  variables.set(`${name}_SERVICE_HOST`, clusterIP)
  variables.set(`${name}_SERVICE_PORT`, String(first.port))
  for (const port of ports) if (port.name) variables.set(`${name}_SERVICE_PORT_${variableName(port.name)}`, String(port.port))
  variables.set(`${name}_PORT`, addressOf(first))
  for (const port of ports) {
    const prefix = `${name}_PORT_${port.port}_${port.protocol ?? 'TCP'}`
    variables.set(prefix, addressOf(port))
    variables.set(`${prefix}_PROTO`, (port.protocol ?? 'TCP').toLowerCase())
    variables.set(`${prefix}_PORT`, String(port.port))
    variables.set(`${prefix}_ADDR`, clusterIP)
  }
}
