// Whether a Deployment opted in to the pacer, as the API server has it.
// Ours: the pacer exists in Rollcall only.
import { namespaces } from '../../api/kinds.ts'
import type { Deployment, Stored } from '../../api/types.ts'
import type { Client } from '../../client/client.ts'
import { isOptedIn, optInKey } from './plan/opt-in.ts'
import { pacerGate } from './plan/pacing.ts'

export async function hasOptedIn(client: Client, deployment: Stored<Deployment>): Promise<boolean> {
  if (deployment.spec?.template.spec?.schedulingGates?.some(({ name }) => name === pacerGate)) return true
  if (isOptedIn('Deployment', deployment, undefined)) return true
  const { metadata } = await client.get(namespaces, { name: deployment.metadata.namespace ?? '' })
  return isOptedIn('Deployment', deployment, metadata.labels?.[optInKey])
}
