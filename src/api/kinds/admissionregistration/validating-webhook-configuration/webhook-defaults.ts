// What validating and mutating webhooks have in common.
import { fill } from '../../../machinery/fields.ts'
import type { ValidatingWebhookConfiguration, Writable } from '../../../types.ts'

type Webhook = NonNullable<Writable<ValidatingWebhookConfiguration>['webhooks']>[number]
type Rule = NonNullable<Webhook['rules']>[number]

export const webhookDefaults = {
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  namespaceSelector: {},
  objectSelector: {},
  timeoutSeconds: 10,
} as const

/** The port of the Service, and the scope of the rules. */
export function defaultTarget(webhook: { clientConfig?: Webhook['clientConfig']; rules?: Rule[] }): void {
  const { clientConfig, rules } = webhook
  if (clientConfig?.service) clientConfig.service = fill('admissionregistration.ServiceReference', clientConfig.service, { port: 443 })
  if (rules) webhook.rules = defaultRules('admissionregistration.RuleWithOperations', rules)
}

export const defaultRules = <T extends Rule>(type: string, rules: readonly T[]): T[] =>
  rules.map((rule) => fill<Rule>(type, rule, { scope: '*' }) as T)
