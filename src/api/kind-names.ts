// Kinds by the names that people use for them.

import { kinds } from './kinds.ts'
import type { Kind } from './machinery/kind.ts'

const isStored = ({ verbs }: Kind) => verbs === undefined || verbs.includes('get')
const byName = new Map<string, Kind>()
// The first kind of a name has it: of the two Events, that of the core.
for (const kind of kinds.filter(isStored))
  for (const name of [kind.plural, kind.kind, ...(kind.shortNames ?? []), `${kind.plural}.${kind.group}`])
    if (name !== '' && !byName.has(name.toLowerCase())) byName.set(name.toLowerCase(), kind)

/** `deployment`, `deployments`, `deploy`, `Deployment`, `deployments.apps`. Undefined: there is none. */
export const findKind = (name: string): Kind | undefined => byName.get(name.toLowerCase())
