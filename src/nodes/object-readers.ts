// Reads the ConfigMaps, Secrets and Services that containers refer to.
import { configMaps, secrets, services } from '../api/kinds.ts'
import type { Secret } from '../api/types.ts'
import type { SharedInformers } from '../runtime/shared-informers.ts'
import type { FleetEnvironment } from './node-environment.ts'

export function createObjectReaders(informers: SharedInformers): Pick<FleetEnvironment, 'readData' | 'readServices'> {
  const configMapInformer = informers.get(configMaps)
  const secretInformer = informers.get(secrets)
  const serviceInformer = informers.get(services)
  return {
    readData: (namespace) => (kind, name) => {
      if (kind === 'Secret') {
        const secret = secretInformer.get(`${namespace}/${name}`)
        return secret && decodedSecret(secret)
      }
      const found = configMapInformer.get(`${namespace}/${name}`)
      return found && (found.data ?? {})
    },
    *readServices(namespace) {
      const master = serviceInformer.get('default/kubernetes')
      if (master !== undefined) yield master
      if (namespace !== undefined) yield* serviceInformer.byIndex('namespace', namespace)
    },
  }
}

// A pod may refer to one Secret in a thousand variables: decode it once.
const decoded = new WeakMap<object, Readonly<Record<string, string>>>()

function decodedSecret(secret: Secret): Readonly<Record<string, string>> {
  let data = decoded.get(secret)
  if (data === undefined) {
    data = Object.fromEntries(Object.entries(secret.data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]))
    decoded.set(secret, data)
  }
  return data
}
