// Admission that users configure: webhooks and policies. Costs nothing while no configuration is stored.
// Kubernetes: k8s.io/apiserver/pkg/admission/plugin/webhook/generic.Webhook.Dispatch
// Kubernetes: k8s.io/apiserver/pkg/admission/plugin/policy/generic.Plugin.Dispatch
import {
  mutatingAdmissionPolicies,
  mutatingAdmissionPolicyBindings,
  mutatingWebhookConfigurations,
  validatingAdmissionPolicies,
  validatingAdmissionPolicyBindings,
  validatingWebhookConfigurations,
} from '../../../api/kinds.ts'
import type { Kind } from '../../../api/machinery/kind.ts'
import type {
  MutatingAdmissionPolicy,
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingWebhookConfiguration,
} from '../../../api/types.ts'
import type { AdmissionAttributes } from './attributes.ts'
import type { ConfigurationReader } from './configuration-reader.ts'
import type { Program } from './expressions.ts'
import { mutateByPolicy } from './mutating-policies.ts'
import { appliesTo, type BoundPolicy, bindPolicies, type PolicyBinding } from './policies.ts'
import { validateByPolicies } from './validating-policies.ts'
import { mutateByWebhook, selectsRequest, validateByWebhooks, type Webhook, webhooksOf } from './webhooks.ts'

/** The kinds that configure admission. Writes of their objects are never reviewed, so that a wrong one can be mended. */
export const configurationKinds: readonly Kind[] = [
  mutatingAdmissionPolicies,
  mutatingAdmissionPolicyBindings,
  mutatingWebhookConfigurations,
  validatingAdmissionPolicies,
  validatingAdmissionPolicyBindings,
  validatingWebhookConfigurations,
]
const configurationTypes = new Set(configurationKinds.map(({ type }) => type))

interface Mutator {
  readonly isReinvoked: boolean
  applies(attributes: AdmissionAttributes): boolean
  /** The changed object, if it changed. */
  mutate(attributes: AdmissionAttributes): Promise<object | undefined>
}

interface Configuration {
  /** In the order in which they run: policies, then webhooks. */
  readonly mutators: readonly Mutator[]
  readonly validatingPolicies: readonly BoundPolicy<ValidatingAdmissionPolicy>[]
  readonly validatingWebhooks: readonly Webhook[]
}

type ReaderParts = Omit<ConfigurationReader, 'expressions' | 'compiled'> & {
  /** The number of stored objects of a kind. */
  count(kind: Kind): number
}

export class DynamicAdmission {
  readonly #parts: ReaderParts
  readonly #reader: ConfigurationReader
  readonly #programs = new Map<string, Program | Error>()
  #configuration: Configuration | undefined
  /** Undefined: not counted since the last change. */
  #isActive: boolean | undefined

  constructor(parts: ReaderParts) {
    this.#parts = parts
    this.#reader = {
      ...parts,
      expressions: () => import('./expressions.ts'),
      compiled: (expression, compile) => this.#compiled(expression, compile),
    }
  }

  /** Whether any webhook or policy is configured. */
  get isActive(): boolean {
    this.#isActive ??= configurationKinds.some((kind) => this.#parts.count(kind) > 0)
    return this.#isActive
  }

  /** To be called when a webhook configuration, a policy or a binding was stored or removed. */
  changed(): void {
    this.#isActive = undefined
    this.#configuration = undefined
    this.#programs.clear()
  }

  /**
   * Calls `apply` with each changed object; it returns the attributes with the decoded object. A mutator with the reinvocation policy
   * IfNeeded runs once more when a later one has changed the object. Throws a StatusError when one refuses the request.
   */
  async mutate(first: AdmissionAttributes, apply: (changed: object) => AdmissionAttributes): Promise<void> {
    if (configurationTypes.has(first.resource.type)) return
    let attributes = first
    let changes = 0
    const seen = new Map<Mutator, number>()
    const run = async (mutator: Mutator) => {
      const changed = await mutator.mutate(attributes)
      if (changed !== undefined) {
        changes++
        attributes = apply(changed)
      }
      seen.set(mutator, changes)
    }
    const { mutators } = this.#read()
    for (const mutator of mutators) if (mutator.applies(attributes)) await run(mutator)
    for (const mutator of mutators) {
      const isStale = mutator.isReinvoked && seen.has(mutator) && seen.get(mutator) !== changes
      if (isStale && mutator.applies(attributes)) await run(mutator)
    }
  }

  /** Throws a StatusError when a policy or webhook refuses the request. */
  async validate(attributes: AdmissionAttributes): Promise<void> {
    if (configurationTypes.has(attributes.resource.type)) return
    const { validatingPolicies, validatingWebhooks } = this.#read()
    const policies = validatingPolicies.filter((one) => appliesTo(one, attributes, this.#reader))
    if (policies.length > 0) await validateByPolicies(policies, attributes, this.#reader)
    if (validatingWebhooks.length > 0) await validateByWebhooks(validatingWebhooks, attributes, this.#reader)
  }

  #read(): Configuration {
    if (this.#configuration !== undefined) return this.#configuration
    const all = <T>(kind: Kind) => this.#parts.list(kind, '') as readonly T[]
    const policies = bindPolicies(
      all<MutatingAdmissionPolicy>(mutatingAdmissionPolicies),
      all<PolicyBinding>(mutatingAdmissionPolicyBindings),
    )
    const webhooks = webhooksOf(all<MutatingWebhookConfiguration>(mutatingWebhookConfigurations))
    this.#configuration = {
      mutators: [...policies.map((one) => this.#policyMutator(one)), ...webhooks.map((one) => this.#webhookMutator(one))],
      validatingPolicies: bindPolicies(
        all<ValidatingAdmissionPolicy>(validatingAdmissionPolicies),
        all<PolicyBinding>(validatingAdmissionPolicyBindings),
      ),
      validatingWebhooks: webhooksOf(all<ValidatingWebhookConfiguration>(validatingWebhookConfigurations)),
    }
    return this.#configuration
  }

  #policyMutator(bound: BoundPolicy<MutatingAdmissionPolicy>): Mutator {
    return {
      isReinvoked: bound.policy.spec?.reinvocationPolicy === 'IfNeeded',
      applies: (attributes) => attributes.object !== undefined && appliesTo(bound, attributes, this.#reader),
      mutate: (attributes) => mutateByPolicy(bound.policy, bound.bindings, attributes, this.#reader),
    }
  }

  #webhookMutator(webhook: Webhook): Mutator {
    return {
      isReinvoked: webhook.reinvocationPolicy === 'IfNeeded',
      applies: (attributes) => selectsRequest(webhook, attributes, this.#reader),
      mutate: (attributes) => mutateByWebhook(webhook, attributes, this.#reader),
    }
  }

  #compiled(expression: string, compile: () => Program): Program {
    let program = this.#programs.get(expression)
    if (program === undefined) {
      try {
        program = compile()
      } catch (error) {
        program = new Error(`compilation error: ${(error as Error).message}`)
      }
      this.#programs.set(expression, program)
    }
    if (program instanceof Error) throw program
    return program
  }
}
