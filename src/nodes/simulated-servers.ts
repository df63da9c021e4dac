// Servers in simulated pods that the API server can call: webhooks whose answers are known.
import type { Container, Pod } from '../api/types.ts'
import type { Clock } from '../base/clock.ts'
import { servedCertificate, webhookResponse } from './kubelet/agnhost-webhooks.ts'
import { type HttpResponse, listensOn } from './kubelet/http-responses.ts'
import type { FleetEnvironment } from './node-environment.ts'

export interface SimulatedServer {
  /** PEM. */
  readonly certificate: string
  /** Resolves in simulated time, or never. */
  post(path: string, body: string): Promise<HttpResponse>
}

interface Finder {
  readonly clock: Clock
  /** The container, if it runs. */
  findContainer(name: string): Container | undefined
  readonly readData: FleetEnvironment['readData']
}

/** The server of the pod that listens on the port. Undefined: none whose answers are known. */
export function findServer(pod: Pod, port: number, { clock, findContainer, readData }: Finder): SimulatedServer | undefined {
  const read = readData(pod.metadata?.namespace ?? '')
  for (const { name } of pod.spec?.containers ?? []) {
    const container = findContainer(name)
    if (container === undefined || webhookResponse(container, '/', '') === undefined || !listensOn(container, port, false)) continue
    const certificate = servedCertificate(pod, container, (secret) => read('Secret', secret))
    if (certificate === undefined) continue
    return {
      certificate,
      post(path, body) {
        const { afterMs, ...response } = webhookResponse(container, path, body)!
        return new Promise((resolve) => {
          if (afterMs === 0) resolve(response)
          else if (Number.isFinite(afterMs)) clock.after(afterMs, () => resolve(response))
        })
      },
    }
  }
  return undefined
}
