// Pods that look the same to every selector: one namespace, the same labels, and both or neither on their way out.
import { type LabelRequirements, type Labels, matchesLabels } from '../../base/label-selector.ts'
import { NodeCounts } from './node-counts.ts'
import type { NodeState } from './node-state.ts'

export interface PodLook {
  readonly namespace: string
  readonly labels: Labels
  readonly isTerminating: boolean
  /** The same for pods that look the same. */
  readonly key: string
}

const noLabels: Labels = {}
/** Pods without labels may be of any namespace. */
const mostLooks = 8

/** By their labels, which pods of one template share. */
const looks = new WeakMap<Labels, PodLook[]>()

export function readLook(namespace: string, labels: Labels = noLabels, isTerminating = false): PodLook {
  const known = looks.get(labels)
  const found = known?.find((look) => look.namespace === namespace && look.isTerminating === isTerminating)
  if (found !== undefined) return found
  const sorted = Object.keys(labels).sort()
  const key = JSON.stringify([namespace, isTerminating, ...sorted.map((label) => [label, labels[label]])])
  const look = { namespace, labels, isTerminating, key }
  if (known === undefined || known.length >= mostLooks) looks.set(labels, [look])
  else known.push(look)
  return look
}

/** Which pods are counted. `key` names the question: the same key, the same answer. */
export interface PodQuestion {
  readonly key: string
  /** Absent: pods of any namespace may be meant. */
  readonly namespaces?: ReadonlySet<string>
  isMeant(look: PodLook): boolean
}

/** `isMeant` for a selector; an absent selector means no pod. */
export function selects(requirements: LabelRequirements | undefined, labels: Labels): boolean {
  return requirements !== undefined && matchesLabels(requirements, labels)
}

interface Group {
  readonly look: PodLook
  readonly nodes: NodeCounts
  /** The answers that it is part of. */
  readonly answers: Set<Answer>
}

interface Answer {
  readonly question: PodQuestion
  readonly counts: NodeCounts
}

const mostAnswers = 4096

/** Counts pods by the questions that were asked: a question costs a look at every group once, and is then kept up to date. */
export class PodCounts {
  readonly #groups = new Map<string, Group>()
  readonly #byNamespace = new Map<string, Set<Group>>()
  readonly #answers = new Map<string, Answer>()

  add(look: PodLook, node: NodeState, change: 1 | -1): void {
    const group = this.#groups.get(look.key) ?? this.#addGroup(look)
    group.nodes.add(node, change)
    for (const { counts } of group.answers) counts.add(node, change)
    if (group.nodes.isEmpty) this.#removeGroup(group)
  }

  answer(question: PodQuestion): NodeCounts {
    const known = this.#answers.get(question.key)
    if (known !== undefined) return known.counts
    if (this.#answers.size >= mostAnswers) this.forget(() => true)
    const answer: Answer = { question, counts: new NodeCounts() }
    this.#answers.set(question.key, answer)
    for (const group of this.#groupsFor(question)) {
      if (!question.isMeant(group.look)) continue
      group.answers.add(answer)
      for (const [node, count] of group.nodes.entries()) answer.counts.add(node, count)
    }
    return answer.counts
  }

  /** The answers that rest on something which has changed. */
  forget(isStale: (question: PodQuestion) => boolean): void {
    for (const [key, answer] of this.#answers) {
      if (!isStale(answer.question)) continue
      this.#answers.delete(key)
      for (const group of this.#groups.values()) group.answers.delete(answer)
    }
  }

  forgetDomains(): void {
    for (const { counts } of this.#answers.values()) counts.forgetDomains()
  }

  *#groupsFor({ namespaces }: PodQuestion): Iterable<Group> {
    if (namespaces === undefined) yield* this.#groups.values()
    else for (const namespace of namespaces) yield* this.#byNamespace.get(namespace) ?? []
  }

  #addGroup(look: PodLook): Group {
    const group: Group = { look, nodes: new NodeCounts(), answers: new Set() }
    this.#groups.set(look.key, group)
    const siblings = this.#byNamespace.get(look.namespace)
    if (siblings === undefined) this.#byNamespace.set(look.namespace, new Set([group]))
    else siblings.add(group)
    for (const answer of this.#answers.values()) if (answer.question.isMeant(look)) group.answers.add(answer)
    return group
  }

  #removeGroup(group: Group): void {
    this.#groups.delete(group.look.key)
    const siblings = this.#byNamespace.get(group.look.namespace)
    siblings?.delete(group)
    if (siblings?.size === 0) this.#byNamespace.delete(group.look.namespace)
  }
}
