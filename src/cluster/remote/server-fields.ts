// Which fields of the proposals an API server has, by its OpenAPI document, and which kinds, by its discovery.
import type { Clock } from '../../base/clock.ts'

interface ServerFields {
  readonly terminatingReplicas: boolean
  readonly podReplacementPolicy: boolean
}

interface Schemas {
  readonly components?: { readonly schemas?: Readonly<Record<string, { readonly properties?: Readonly<Record<string, unknown>> }>> }
}

const maxAttempts = 10
const retryMs = 1000

/**
 * `read` gets the document at a path. A server that has just started may not have the document yet: with a clock, several attempts are
 * made. A server without the document counts as one without the fields.
 */
export async function readServerFields(read: (path: string) => Promise<string>, clock?: Clock): Promise<ServerFields> {
  for (let attempt = 1; attempt <= (clock === undefined ? 1 : maxAttempts); attempt++) {
    try {
      const { components = {} } = JSON.parse(await read('/openapi/v3/apis/apps/v1')) as Schemas
      const has = (type: string, field: string) => components.schemas?.[`io.k8s.api.apps.v1.${type}`]?.properties?.[field] !== undefined
      return {
        terminatingReplicas: has('ReplicaSetStatus', 'terminatingReplicas'),
        podReplacementPolicy: has('DeploymentSpec', 'podReplacementPolicy'),
      }
    } catch {
      await new Promise<void>((resolve) => (clock === undefined ? resolve() : void clock.after(retryMs, resolve)))
    }
  }
  return { terminatingReplicas: false, podReplacementPolicy: false }
}

/** `read` gets the text of a path. Undefined: the server did not answer. */
export async function servesPolicies(read: (path: string) => Promise<string>): Promise<boolean | undefined> {
  try {
    const { resources = [] } = JSON.parse(await read('/apis/admissionregistration.k8s.io/v1')) as { resources?: { name: string }[] }
    return resources.some(({ name }) => name === 'mutatingadmissionpolicies')
  } catch {
    return undefined
  }
}
