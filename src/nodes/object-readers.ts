// Reads the ConfigMaps, Secrets and Services that containers refer to.

import { configMaps, secrets, services } from '../api/kinds.ts'
import { textOfBytes } from '../base/byte-text.ts'
import { getOrAdd } from '../base/maps.ts'
import type { SharedInformers } from '../runtime/shared-informers.ts'
import type { FleetEnvironment } from './node-environment.ts'

export function createObjectReaders(informers: SharedInformers): Pick<FleetEnvironment, 'readData' | 'readServices'> {
  const configMapInformer = informers.get(configMaps)
  const secretInformer = informers.get(secrets)
  const serviceInformer = informers.get(services)
  return {
    readData: (namespace) => (kind, name, withBinary) => {
      if (kind === 'Secret') {
        const secret = secretInformer.get(`${namespace}/${name}`)
        return secret && decodedOnce(secret, secret.data)
      }
      const found = configMapInformer.get(`${namespace}/${name}`)
      if (found === undefined) return undefined
      return withBinary && found.binaryData ? { ...found.data, ...decodedOnce(found, found.binaryData) } : (found.data ?? {})
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

const decodedOnce = (object: object, encoded: Readonly<Record<string, string>> = {}) =>
  getOrAdd(decoded, object, () =>
    Object.fromEntries(Object.entries(encoded).map(([key, value]) => [key, textOfBytes(Buffer.from(value, 'base64'))])),
  )
