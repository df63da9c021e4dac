// All functions that Kubernetes v1.37 offers to every expression.
// Kubernetes: k8s.io/apiserver/pkg/cel/environment.baseOpts
// Kubernetes: k8s.io/apiserver/pkg/cel/library.KnownLibraries
import type { Functions, Overload } from '../functions.ts'
import { arithmetic } from './arithmetic.ts'
import { authorization } from './authorization.ts'
import { conversions } from './conversions.ts'
import { lists } from './lists.ts'
import { namedFormats } from './named-formats.ts'
import { network } from './network.ts'
import { optionals } from './optionals.ts'
import { quantities } from './quantities.ts'
import { regex } from './regex.ts'
import { semver } from './semver.ts'
import { strings } from './strings.ts'
import { urls } from './urls.ts'

/** Several libraries may have overloads of one function. */
export function mergeFunctions(...libraries: readonly Functions[]): Functions {
  const merged: Record<string, readonly Overload[]> = {}
  for (const library of libraries)
    for (const [name, overloads] of Object.entries(library)) merged[name] = [...(merged[name] ?? []), ...overloads]
  return merged
}

export const standardFunctions: Functions = mergeFunctions(
  arithmetic,
  conversions,
  strings,
  regex,
  lists,
  optionals,
  quantities,
  semver,
  network,
  urls,
  namedFormats,
  authorization,
)
