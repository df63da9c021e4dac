// What validating and mutating webhooks have in common.
// Kubernetes: pkg/apis/admissionregistration/v1.SetDefaults_ValidatingWebhook, SetDefaults_MutatingWebhook, SetDefaults_Rule
// Kubernetes: pkg/apis/admissionregistration/v1.SetDefaults_ServiceReference
import { fill } from '../../../machinery/fields.ts'
import type { ValidatingWebhookConfiguration, Writable } from '../../../types.ts'

type Webhook = NonNullable<Writable<ValidatingWebhookConfiguration>['webhooks']>[number]
type Rule = NonNullable<Webhook['rules']>[number]

const webhookDefaults = {
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  namespaceSelector: {},
  objectSelector: {},
  timeoutSeconds: 10,
} as const

/** `type` is the type of the webhooks, which may have `more` defaults. */
export function defaultWebhooks<T extends Webhook>(type: string, configuration: { webhooks?: T[] }, more: Partial<T> = {}): void {
  for (const webhook of configuration.webhooks ?? []) {
    const { clientConfig, rules } = webhook
    if (clientConfig?.service) clientConfig.service = fill('admissionregistration.ServiceReference', clientConfig.service, { port: 443 })
    if (rules) webhook.rules = defaultRules('admissionregistration.RuleWithOperations', rules)
  }
  if (configuration.webhooks)
    configuration.webhooks = configuration.webhooks.map((one) => fill<T>(type, one, { ...webhookDefaults, ...more }))
}

export const defaultRules = <T extends Rule>(type: string, rules: readonly T[]): T[] =>
  rules.map((rule) => fill<Rule>(type, rule, { scope: '*' }) as T)
