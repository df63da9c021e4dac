// What Kubernetes' discovery says about a kind: its group, its names, its verbs and its subresources.
//
// The first line of a resource: its version with the group, its kind, its plural, then
//   namespaced          its objects are in namespaces
//   short= categories=  names for kubectl
//   verbs=              where it has not all verbs
// Each further line is a subresource: its name, the version of its body where that is of another group, the kind of its body, its verbs.
// Types only: a kind has the functions.
// Ours: what discovery says is data here, and the endpoints follow from it.
import { kubernetesResources, kubernetesVersion } from '../generated/kubernetes.ts'
import type { Kind, SubresourceName, Verb } from '../kind.ts'

type ResourceFacts = Pick<
  Kind,
  'group' | 'version' | 'kind' | 'plural' | 'namespaced' | 'shortNames' | 'categories' | 'verbs' | 'type' | 'subresources'
>

/** How Kubernetes serves the objects of the struct `type` (`apps.Deployment`). */
export function resource(type: string): ResourceFacts {
  const lines = kubernetesResources[type]?.split('\n')
  if (lines === undefined) throw new Error(`Cannot find the resource of "${type}": Kubernetes ${kubernetesVersion} does not serve it.`)
  const [apiVersion = '', kind = '', plural = '', ...flags] = lines[0]!.split(' ')
  const { short, categories, verbs } = listsOf(flags)
  const subresources = lines.slice(1).map(compileSubresource)
  return {
    ...groupVersionOf(apiVersion),
    kind,
    plural,
    namespaced: flags.includes('namespaced'),
    type,
    ...(short && { shortNames: short }),
    ...(categories && { categories }),
    ...(verbs && { verbs: verbs as Verb[] }),
    ...(subresources.length > 0 && { subresources }),
  }
}

function compileSubresource(line: string): SubresourceName {
  const words = line.split(' ')
  const [name = '', of = '', kind = ''] = words
  const verbs = listsOf(words)['verbs'] as Verb[]
  return words.length === 3 ? { name, kind: of, verbs } : { name, ...groupVersionOf(of), kind, verbs }
}

function groupVersionOf(apiVersion: string) {
  const slash = apiVersion.indexOf('/')
  return { group: slash < 0 ? '' : apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) }
}

/** `short=po,pods`. */
const listsOf = (words: readonly string[]): { readonly [flag: string]: string[] | undefined } =>
  Object.fromEntries(
    words.map((word) => word.split('=')).flatMap(([flag = '', list]) => (list === undefined ? [] : [[flag, list.split(',')]])),
  )

// Reviews: kinds that are only created, and whose response is the created object. They are never stored.
// Ours: what reviews have in common.
export const reviewKind = (type: string): Kind => ({ ...resource(type), strategy: { names: 'any' } })
