// The types of the Kubernetes API in their JSON form, with the fields of the proposals: a namespace for each group and version. Written from the
// table of types by its test: vitest run src/api/machinery/generated/models.test.ts -u

export namespace admissionregistration {
  export interface ApplyConfiguration {
    readonly expression?: string
  }
  export interface AuditAnnotation {
    readonly key: string
    readonly valueExpression: string
  }
  export interface ExpressionWarning {
    readonly fieldRef: string
    readonly warning: string
  }
  export interface JSONPatch {
    readonly expression?: string
  }
  export interface MatchCondition {
    readonly name: string
    readonly expression: string
  }
  export interface MatchResources {
    readonly namespaceSelector?: meta.LabelSelector
    readonly objectSelector?: meta.LabelSelector
    readonly resourceRules?: readonly admissionregistration.NamedRuleWithOperations[]
    readonly excludeResourceRules?: readonly admissionregistration.NamedRuleWithOperations[]
    readonly matchPolicy?: string
  }
  export interface MutatingAdmissionPolicy {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec?: admissionregistration.MutatingAdmissionPolicySpec
  }
  export interface MutatingAdmissionPolicyBinding {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec?: admissionregistration.MutatingAdmissionPolicyBindingSpec
  }
  export interface MutatingAdmissionPolicyBindingSpec {
    readonly policyName?: string
    readonly paramRef?: admissionregistration.ParamRef
    readonly matchResources?: admissionregistration.MatchResources
  }
  export interface MutatingAdmissionPolicySpec {
    readonly paramKind?: admissionregistration.ParamKind
    readonly matchConstraints?: admissionregistration.MatchResources
    readonly variables?: readonly admissionregistration.Variable[]
    readonly mutations?: readonly admissionregistration.Mutation[]
    readonly failurePolicy?: string
    readonly matchConditions?: readonly admissionregistration.MatchCondition[]
    readonly reinvocationPolicy?: string
  }
  export interface MutatingWebhook {
    readonly name: string
    readonly clientConfig: admissionregistration.WebhookClientConfig
    readonly rules?: readonly admissionregistration.RuleWithOperations[]
    readonly failurePolicy?: string
    readonly matchPolicy?: string
    readonly namespaceSelector?: meta.LabelSelector
    readonly objectSelector?: meta.LabelSelector
    readonly sideEffects: string
    readonly timeoutSeconds?: number
    readonly admissionReviewVersions: readonly string[]
    readonly reinvocationPolicy?: string
    readonly matchConditions?: readonly admissionregistration.MatchCondition[]
  }
  export interface MutatingWebhookConfiguration {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly webhooks?: readonly admissionregistration.MutatingWebhook[]
  }
  export interface Mutation {
    readonly patchType: string
    readonly applyConfiguration?: admissionregistration.ApplyConfiguration
    readonly jsonPatch?: admissionregistration.JSONPatch
  }
  export interface NamedRuleWithOperations {
    readonly resourceNames?: readonly string[]
    readonly operations?: readonly string[]
    readonly apiGroups?: readonly string[]
    readonly apiVersions?: readonly string[]
    readonly resources?: readonly string[]
    readonly scope?: string
  }
  export interface ParamKind {
    readonly apiVersion?: string
    readonly kind?: string
  }
  export interface ParamRef {
    readonly name?: string
    readonly namespace?: string
    readonly selector?: meta.LabelSelector
    readonly parameterNotFoundAction?: string
  }
  export interface RuleWithOperations {
    readonly operations?: readonly string[]
    readonly apiGroups?: readonly string[]
    readonly apiVersions?: readonly string[]
    readonly resources?: readonly string[]
    readonly scope?: string
  }
  export interface ServiceReference {
    readonly namespace: string
    readonly name: string
    readonly path?: string
    readonly port?: number
  }
  export interface TypeChecking {
    readonly expressionWarnings?: readonly admissionregistration.ExpressionWarning[]
  }
  export interface ValidatingAdmissionPolicy {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec?: admissionregistration.ValidatingAdmissionPolicySpec
    readonly status?: admissionregistration.ValidatingAdmissionPolicyStatus
  }
  export interface ValidatingAdmissionPolicyBinding {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec?: admissionregistration.ValidatingAdmissionPolicyBindingSpec
  }
  export interface ValidatingAdmissionPolicyBindingSpec {
    readonly policyName?: string
    readonly paramRef?: admissionregistration.ParamRef
    readonly matchResources?: admissionregistration.MatchResources
    readonly validationActions?: readonly string[]
  }
  export interface ValidatingAdmissionPolicySpec {
    readonly paramKind?: admissionregistration.ParamKind
    readonly matchConstraints?: admissionregistration.MatchResources
    readonly validations?: readonly admissionregistration.Validation[]
    readonly failurePolicy?: string
    readonly auditAnnotations?: readonly admissionregistration.AuditAnnotation[]
    readonly matchConditions?: readonly admissionregistration.MatchCondition[]
    readonly variables?: readonly admissionregistration.Variable[]
  }
  export interface ValidatingAdmissionPolicyStatus {
    readonly observedGeneration?: number
    readonly typeChecking?: admissionregistration.TypeChecking
    readonly conditions?: readonly meta.Condition[]
  }
  export interface ValidatingWebhook {
    readonly name: string
    readonly clientConfig: admissionregistration.WebhookClientConfig
    readonly rules?: readonly admissionregistration.RuleWithOperations[]
    readonly failurePolicy?: string
    readonly matchPolicy?: string
    readonly namespaceSelector?: meta.LabelSelector
    readonly objectSelector?: meta.LabelSelector
    readonly sideEffects: string
    readonly timeoutSeconds?: number
    readonly admissionReviewVersions: readonly string[]
    readonly matchConditions?: readonly admissionregistration.MatchCondition[]
  }
  export interface ValidatingWebhookConfiguration {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly webhooks?: readonly admissionregistration.ValidatingWebhook[]
  }
  export interface Validation {
    readonly expression: string
    readonly message?: string
    readonly reason?: string
    readonly messageExpression?: string
  }
  export interface Variable {
    readonly name: string
    readonly expression: string
  }
  export interface WebhookClientConfig {
    readonly url?: string
    readonly service?: admissionregistration.ServiceReference
    readonly caBundle?: string
  }
}

export namespace apiextensions {
  export interface CustomResourceColumnDefinition {
    readonly name: string
    readonly type: string
    readonly format?: string
    readonly description?: string
    readonly priority?: number
    readonly jsonPath: string
  }
  export interface CustomResourceConversion {
    readonly strategy: string
    readonly webhook?: apiextensions.WebhookConversion
  }
  export interface CustomResourceDefinition {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec: apiextensions.CustomResourceDefinitionSpec
    readonly status?: apiextensions.CustomResourceDefinitionStatus
  }
  export interface CustomResourceDefinitionCondition {
    readonly type: string
    readonly status: string
    readonly lastTransitionTime?: string
    readonly reason?: string
    readonly message?: string
    readonly observedGeneration?: number
  }
  export interface CustomResourceDefinitionNames {
    readonly plural: string
    readonly singular?: string
    readonly shortNames?: readonly string[]
    readonly kind: string
    readonly listKind?: string
    readonly categories?: readonly string[]
  }
  export interface CustomResourceDefinitionSpec {
    readonly group: string
    readonly names: apiextensions.CustomResourceDefinitionNames
    readonly scope: string
    readonly versions: readonly apiextensions.CustomResourceDefinitionVersion[]
    readonly conversion?: apiextensions.CustomResourceConversion
    readonly preserveUnknownFields?: boolean
  }
  export interface CustomResourceDefinitionStatus {
    readonly conditions?: readonly apiextensions.CustomResourceDefinitionCondition[]
    readonly acceptedNames?: apiextensions.CustomResourceDefinitionNames
    readonly storedVersions?: readonly string[]
    readonly observedGeneration?: number
  }
  export interface CustomResourceDefinitionVersion {
    readonly name: string
    readonly served: boolean
    readonly storage: boolean
    readonly deprecated?: boolean
    readonly deprecationWarning?: string
    readonly schema?: apiextensions.CustomResourceValidation
    readonly subresources?: apiextensions.CustomResourceSubresources
    readonly additionalPrinterColumns?: readonly apiextensions.CustomResourceColumnDefinition[]
    readonly selectableFields?: readonly apiextensions.SelectableField[]
  }
  export interface CustomResourceSubresourceScale {
    readonly specReplicasPath: string
    readonly statusReplicasPath: string
    readonly labelSelectorPath?: string
  }
  export interface CustomResourceSubresourceStatus {
  }
  export interface CustomResourceSubresources {
    readonly status?: apiextensions.CustomResourceSubresourceStatus
    readonly scale?: apiextensions.CustomResourceSubresourceScale
  }
  export interface CustomResourceValidation {
    readonly openAPIV3Schema?: apiextensions.JSONSchemaProps
  }
  export interface ExternalDocumentation {
    readonly description?: string
    readonly url?: string
  }
  export interface JSONSchemaProps {
    readonly id?: string
    readonly $schema?: string
    readonly $ref?: string
    readonly description?: string
    readonly type?: string
    readonly format?: string
    readonly title?: string
    readonly default?: unknown
    readonly maximum?: number
    readonly exclusiveMaximum?: boolean
    readonly minimum?: number
    readonly exclusiveMinimum?: boolean
    readonly maxLength?: number
    readonly minLength?: number
    readonly pattern?: string
    readonly maxItems?: number
    readonly minItems?: number
    readonly uniqueItems?: boolean
    readonly multipleOf?: number
    readonly enum?: readonly unknown[]
    readonly maxProperties?: number
    readonly minProperties?: number
    readonly required?: readonly string[]
    readonly items?: apiextensions.JSONSchemaProps | readonly apiextensions.JSONSchemaProps[]
    readonly allOf?: readonly apiextensions.JSONSchemaProps[]
    readonly oneOf?: readonly apiextensions.JSONSchemaProps[]
    readonly anyOf?: readonly apiextensions.JSONSchemaProps[]
    readonly not?: apiextensions.JSONSchemaProps
    readonly properties?: { readonly [key: string]: apiextensions.JSONSchemaProps }
    readonly additionalProperties?: apiextensions.JSONSchemaProps | boolean
    readonly patternProperties?: { readonly [key: string]: apiextensions.JSONSchemaProps }
    readonly dependencies?: { readonly [key: string]: unknown }
    readonly additionalItems?: apiextensions.JSONSchemaProps | boolean
    readonly definitions?: { readonly [key: string]: apiextensions.JSONSchemaProps }
    readonly externalDocs?: apiextensions.ExternalDocumentation
    readonly example?: unknown
    readonly nullable?: boolean
    readonly 'x-kubernetes-preserve-unknown-fields'?: boolean
    readonly 'x-kubernetes-embedded-resource'?: boolean
    readonly 'x-kubernetes-int-or-string'?: boolean
    readonly 'x-kubernetes-list-map-keys'?: readonly string[]
    readonly 'x-kubernetes-list-type'?: string
    readonly 'x-kubernetes-map-type'?: string
    readonly 'x-kubernetes-validations'?: readonly apiextensions.ValidationRule[]
  }
  export interface SelectableField {
    readonly jsonPath: string
  }
  export interface ServiceReference {
    readonly namespace: string
    readonly name: string
    readonly path?: string
    readonly port?: number
  }
  export interface ValidationRule {
    readonly rule: string
    readonly message?: string
    readonly messageExpression?: string
    readonly reason?: string
    readonly fieldPath?: string
    readonly optionalOldSelf?: boolean
  }
  export interface WebhookClientConfig {
    readonly url?: string
    readonly service?: apiextensions.ServiceReference
    readonly caBundle?: string
  }
  export interface WebhookConversion {
    readonly clientConfig?: apiextensions.WebhookClientConfig
    readonly conversionReviewVersions: readonly string[]
  }
}

export namespace apiregistration {
  export interface APIService {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec?: apiregistration.APIServiceSpec
    readonly status?: apiregistration.APIServiceStatus
  }
  export interface APIServiceCondition {
    readonly type: string
    readonly status: string
    readonly lastTransitionTime?: string
    readonly reason?: string
    readonly message?: string
  }
  export interface APIServiceSpec {
    readonly service?: apiregistration.ServiceReference
    readonly group?: string
    readonly version?: string
    readonly insecureSkipTLSVerify?: boolean
    readonly caBundle?: string
    readonly groupPriorityMinimum: number
    readonly versionPriority: number
  }
  export interface APIServiceStatus {
    readonly conditions?: readonly apiregistration.APIServiceCondition[]
  }
  export interface ServiceReference {
    readonly namespace?: string
    readonly name?: string
    readonly port?: number
  }
}

export namespace apiserverinternalV1alpha1 {
  export interface ServerStorageVersion {
    readonly apiServerID?: string
    readonly encodingVersion?: string
    readonly decodableVersions?: readonly string[]
    readonly servedVersions?: readonly string[]
  }
  export interface StorageVersion {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec?: apiserverinternalV1alpha1.StorageVersionSpec
    readonly status?: apiserverinternalV1alpha1.StorageVersionStatus
  }
  export interface StorageVersionCondition {
    readonly type: string
    readonly status: string
    readonly observedGeneration?: number
    readonly lastTransitionTime?: string
    readonly reason: string
    readonly message?: string
  }
  export interface StorageVersionSpec {
  }
  export interface StorageVersionStatus {
    readonly storageVersions?: readonly apiserverinternalV1alpha1.ServerStorageVersion[]
    readonly commonEncodingVersion?: string
    readonly conditions?: readonly apiserverinternalV1alpha1.StorageVersionCondition[]
  }
}

export namespace apps {
  export interface ControllerRevision {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly data: unknown
    readonly revision?: number
  }
  export interface DaemonSet {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec?: apps.DaemonSetSpec
    readonly status?: apps.DaemonSetStatus
  }
  export interface DaemonSetCondition {
    readonly type?: string
    readonly status?: string
    readonly lastTransitionTime?: string
    readonly reason?: string
    readonly message?: string
    readonly lastUpdateTime?: string
  }
  export interface DaemonSetSpec {
    readonly selector: meta.LabelSelector
    readonly template: core.PodTemplateSpec
    readonly updateStrategy?: apps.DaemonSetUpdateStrategy
    readonly minReadySeconds?: number
    readonly revisionHistoryLimit?: number
    readonly progressDeadlineSeconds?: number
    readonly operationalThreshold?: number | string
  }
  export interface DaemonSetStatus {
    readonly currentNumberScheduled: number
    readonly numberMisscheduled: number
    readonly desiredNumberScheduled: number
    readonly numberReady: number
    readonly observedGeneration?: number
    readonly updatedNumberScheduled?: number
    readonly numberAvailable?: number
    readonly numberUnavailable?: number
    readonly collisionCount?: number
    readonly conditions?: readonly apps.DaemonSetCondition[]
  }
  export interface DaemonSetUpdateStrategy {
    readonly type?: string
    readonly rollingUpdate?: apps.RollingUpdateDaemonSet
  }
  export interface Deployment {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec?: apps.DeploymentSpec
    readonly status?: apps.DeploymentStatus
  }
  export interface DeploymentCondition {
    readonly type?: string
    readonly status?: string
    readonly lastUpdateTime?: string
    readonly lastTransitionTime?: string
    readonly reason?: string
    readonly message?: string
  }
  export interface DeploymentSpec {
    readonly replicas?: number
    readonly selector: meta.LabelSelector
    readonly template: core.PodTemplateSpec
    readonly strategy?: apps.DeploymentStrategy
    readonly minReadySeconds?: number
    readonly revisionHistoryLimit?: number
    readonly paused?: boolean
    readonly progressDeadlineSeconds?: number
    readonly podReplacementPolicy?: 'TerminationComplete' | 'TerminationStarted'
    readonly terminatingAsActive?: boolean
    readonly operationalThreshold?: number | string
  }
  export interface DeploymentStatus {
    readonly observedGeneration?: number
    readonly replicas?: number
    readonly updatedReplicas?: number
    readonly readyReplicas?: number
    readonly availableReplicas?: number
    readonly unavailableReplicas?: number
    readonly terminatingReplicas?: number
    readonly conditions?: readonly apps.DeploymentCondition[]
    readonly collisionCount?: number
  }
  export interface DeploymentStrategy {
    readonly type?: string
    readonly rollingUpdate?: apps.RollingUpdateDeployment
  }
  export interface ReplicaSet {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec?: apps.ReplicaSetSpec
    readonly status?: apps.ReplicaSetStatus
  }
  export interface ReplicaSetCondition {
    readonly type?: string
    readonly status?: string
    readonly lastTransitionTime?: string
    readonly reason?: string
    readonly message?: string
  }
  export interface ReplicaSetSpec {
    readonly replicas?: number
    readonly minReadySeconds?: number
    readonly selector: meta.LabelSelector
    readonly template?: core.PodTemplateSpec
    readonly terminatingAsActive?: boolean
    readonly operationalThreshold?: number | string
  }
  export interface ReplicaSetStatus {
    readonly replicas: number
    readonly fullyLabeledReplicas?: number
    readonly readyReplicas?: number
    readonly availableReplicas?: number
    readonly terminatingReplicas?: number
    readonly observedGeneration?: number
    readonly conditions?: readonly apps.ReplicaSetCondition[]
  }
  export interface RollingUpdateDaemonSet {
    readonly maxUnavailable?: number | string
    readonly maxSurge?: number | string
  }
  export interface RollingUpdateDeployment {
    readonly maxUnavailable?: number | string
    readonly maxSurge?: number | string
  }
  export interface RollingUpdateStatefulSetStrategy {
    readonly partition?: number
    readonly maxUnavailable?: number | string
  }
  export interface StatefulSet {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec?: apps.StatefulSetSpec
    readonly status?: apps.StatefulSetStatus
  }
  export interface StatefulSetCondition {
    readonly type?: string
    readonly status?: string
    readonly lastTransitionTime?: string
    readonly reason?: string
    readonly message?: string
    readonly lastUpdateTime?: string
  }
  export interface StatefulSetOrdinals {
    readonly start?: number
  }
  export interface StatefulSetPersistentVolumeClaimRetentionPolicy {
    readonly whenDeleted?: string
    readonly whenScaled?: string
  }
  export interface StatefulSetSpec {
    readonly replicas?: number
    readonly selector: meta.LabelSelector
    readonly template: core.PodTemplateSpec
    readonly volumeClaimTemplates?: readonly core.PersistentVolumeClaim[]
    readonly serviceName?: string
    readonly podManagementPolicy?: string
    readonly updateStrategy?: apps.StatefulSetUpdateStrategy
    readonly revisionHistoryLimit?: number
    readonly minReadySeconds?: number
    readonly persistentVolumeClaimRetentionPolicy?: apps.StatefulSetPersistentVolumeClaimRetentionPolicy
    readonly ordinals?: apps.StatefulSetOrdinals
    readonly progressDeadlineSeconds?: number
    readonly operationalThreshold?: number | string
  }
  export interface StatefulSetStatus {
    readonly observedGeneration?: number
    readonly replicas: number
    readonly readyReplicas?: number
    readonly currentReplicas?: number
    readonly updatedReplicas?: number
    readonly currentRevision?: string
    readonly updateRevision?: string
    readonly collisionCount?: number
    readonly conditions?: readonly apps.StatefulSetCondition[]
    readonly availableReplicas?: number
  }
  export interface StatefulSetUpdateStrategy {
    readonly type?: string
    readonly rollingUpdate?: apps.RollingUpdateStatefulSetStrategy
  }
}

export namespace authentication {
  export interface BoundObjectReference {
    readonly kind?: string
    readonly apiVersion?: string
    readonly name?: string
    readonly uid?: string
  }
  export interface SelfSubjectReview {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly status?: authentication.SelfSubjectReviewStatus
  }
  export interface SelfSubjectReviewStatus {
    readonly userInfo?: authentication.UserInfo
  }
  export interface TokenRequest {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec?: authentication.TokenRequestSpec
    readonly status?: authentication.TokenRequestStatus
  }
  export interface TokenRequestSpec {
    readonly audiences?: readonly string[]
    readonly expirationSeconds?: number
    readonly boundObjectRef?: authentication.BoundObjectReference
    readonly attestations?: { readonly [key: string]: readonly string[] }
  }
  export interface TokenRequestStatus {
    readonly token?: string
    readonly expirationTimestamp?: string
  }
  export interface TokenReview {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec: authentication.TokenReviewSpec
    readonly status?: authentication.TokenReviewStatus
  }
  export interface TokenReviewSpec {
    readonly token?: string
    readonly audiences?: readonly string[]
  }
  export interface TokenReviewStatus {
    readonly authenticated?: boolean
    readonly user?: authentication.UserInfo
    readonly audiences?: readonly string[]
    readonly error?: string
  }
  export interface UserInfo {
    readonly username?: string
    readonly uid?: string
    readonly groups?: readonly string[]
    readonly extra?: { readonly [key: string]: readonly string[] }
  }
}

export namespace authorization {
  export interface FieldSelectorAttributes {
    readonly rawSelector?: string
    readonly requirements?: readonly meta.FieldSelectorRequirement[]
  }
  export interface LabelSelectorAttributes {
    readonly rawSelector?: string
    readonly requirements?: readonly meta.LabelSelectorRequirement[]
  }
  export interface LocalSubjectAccessReview {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec: authorization.SubjectAccessReviewSpec
    readonly status?: authorization.SubjectAccessReviewStatus
  }
  export interface NonResourceAttributes {
    readonly path?: string
    readonly verb?: string
  }
  export interface NonResourceRule {
    readonly verbs: readonly string[]
    readonly nonResourceURLs?: readonly string[]
  }
  export interface ResourceAttributes {
    readonly namespace?: string
    readonly verb?: string
    readonly group?: string
    readonly version?: string
    readonly resource?: string
    readonly subresource?: string
    readonly name?: string
    readonly fieldSelector?: authorization.FieldSelectorAttributes
    readonly labelSelector?: authorization.LabelSelectorAttributes
  }
  export interface ResourceRule {
    readonly verbs: readonly string[]
    readonly apiGroups?: readonly string[]
    readonly resources?: readonly string[]
    readonly resourceNames?: readonly string[]
  }
  export interface SelfSubjectAccessReview {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec: authorization.SelfSubjectAccessReviewSpec
    readonly status?: authorization.SubjectAccessReviewStatus
  }
  export interface SelfSubjectAccessReviewSpec {
    readonly resourceAttributes?: authorization.ResourceAttributes
    readonly nonResourceAttributes?: authorization.NonResourceAttributes
  }
  export interface SelfSubjectRulesReview {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec: authorization.SelfSubjectRulesReviewSpec
    readonly status?: authorization.SubjectRulesReviewStatus
  }
  export interface SelfSubjectRulesReviewSpec {
    readonly namespace?: string
  }
  export interface SubjectAccessReview {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec: authorization.SubjectAccessReviewSpec
    readonly status?: authorization.SubjectAccessReviewStatus
  }
  export interface SubjectAccessReviewSpec {
    readonly resourceAttributes?: authorization.ResourceAttributes
    readonly nonResourceAttributes?: authorization.NonResourceAttributes
    readonly user?: string
    readonly groups?: readonly string[]
    readonly extra?: { readonly [key: string]: readonly string[] }
    readonly uid?: string
  }
  export interface SubjectAccessReviewStatus {
    readonly allowed: boolean
    readonly denied?: boolean
    readonly reason?: string
    readonly evaluationError?: string
  }
  export interface SubjectRulesReviewStatus {
    readonly resourceRules: readonly authorization.ResourceRule[]
    readonly nonResourceRules: readonly authorization.NonResourceRule[]
    readonly incomplete: boolean
    readonly evaluationError?: string
  }
}

export namespace autoscaling {
  export interface CrossVersionObjectReference {
    readonly kind: string
    readonly name: string
    readonly apiVersion?: string
  }
  export interface HorizontalPodAutoscaler {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec?: autoscaling.HorizontalPodAutoscalerSpec
    readonly status?: autoscaling.HorizontalPodAutoscalerStatus
  }
  export interface HorizontalPodAutoscalerSpec {
    readonly scaleTargetRef: autoscaling.CrossVersionObjectReference
    readonly minReplicas?: number
    readonly maxReplicas: number
    readonly targetCPUUtilizationPercentage?: number
  }
  export interface HorizontalPodAutoscalerStatus {
    readonly observedGeneration?: number
    readonly lastScaleTime?: string
    readonly currentReplicas: number
    readonly desiredReplicas: number
    readonly currentCPUUtilizationPercentage?: number
  }
  export interface Scale {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec?: autoscaling.ScaleSpec
    readonly status?: autoscaling.ScaleStatus
  }
  export interface ScaleSpec {
    readonly replicas?: number
  }
  export interface ScaleStatus {
    readonly replicas: number
    readonly selector?: string
  }
}

export namespace autoscalingV2 {
  export interface ContainerResourceMetricSource {
    readonly name: string
    readonly target: autoscalingV2.MetricTarget
    readonly container: string
  }
  export interface ContainerResourceMetricStatus {
    readonly name: string
    readonly current: autoscalingV2.MetricValueStatus
    readonly container: string
  }
  export interface CrossVersionObjectReference {
    readonly kind: string
    readonly name: string
    readonly apiVersion?: string
  }
  export interface ExternalMetricSource {
    readonly metric: autoscalingV2.MetricIdentifier
    readonly target: autoscalingV2.MetricTarget
  }
  export interface ExternalMetricStatus {
    readonly metric: autoscalingV2.MetricIdentifier
    readonly current: autoscalingV2.MetricValueStatus
  }
  export interface HPAScalingPolicy {
    readonly type: string
    readonly value: number
    readonly periodSeconds: number
  }
  export interface HPAScalingRules {
    readonly stabilizationWindowSeconds?: number
    readonly selectPolicy?: string
    readonly policies?: readonly autoscalingV2.HPAScalingPolicy[]
    readonly tolerance?: string
  }
  export interface HorizontalPodAutoscaler {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec?: autoscalingV2.HorizontalPodAutoscalerSpec
    readonly status?: autoscalingV2.HorizontalPodAutoscalerStatus
  }
  export interface HorizontalPodAutoscalerBehavior {
    readonly scaleUp?: autoscalingV2.HPAScalingRules
    readonly scaleDown?: autoscalingV2.HPAScalingRules
  }
  export interface HorizontalPodAutoscalerCondition {
    readonly type: string
    readonly status: string
    readonly lastTransitionTime?: string
    readonly reason?: string
    readonly message?: string
    readonly observedGeneration?: number
  }
  export interface HorizontalPodAutoscalerSpec {
    readonly scaleTargetRef: autoscalingV2.CrossVersionObjectReference
    readonly minReplicas?: number
    readonly maxReplicas: number
    readonly metrics?: readonly autoscalingV2.MetricSpec[]
    readonly behavior?: autoscalingV2.HorizontalPodAutoscalerBehavior
  }
  export interface HorizontalPodAutoscalerStatus {
    readonly observedGeneration?: number
    readonly lastScaleTime?: string
    readonly currentReplicas?: number
    readonly desiredReplicas: number
    readonly currentMetrics?: readonly autoscalingV2.MetricStatus[]
    readonly conditions?: readonly autoscalingV2.HorizontalPodAutoscalerCondition[]
  }
  export interface MetricIdentifier {
    readonly name: string
    readonly selector?: meta.LabelSelector
  }
  export interface MetricSpec {
    readonly type: string
    readonly object?: autoscalingV2.ObjectMetricSource
    readonly pods?: autoscalingV2.PodsMetricSource
    readonly resource?: autoscalingV2.ResourceMetricSource
    readonly containerResource?: autoscalingV2.ContainerResourceMetricSource
    readonly external?: autoscalingV2.ExternalMetricSource
  }
  export interface MetricStatus {
    readonly type: string
    readonly object?: autoscalingV2.ObjectMetricStatus
    readonly pods?: autoscalingV2.PodsMetricStatus
    readonly resource?: autoscalingV2.ResourceMetricStatus
    readonly containerResource?: autoscalingV2.ContainerResourceMetricStatus
    readonly external?: autoscalingV2.ExternalMetricStatus
  }
  export interface MetricTarget {
    readonly type: string
    readonly value?: string
    readonly averageValue?: string
    readonly averageUtilization?: number
  }
  export interface MetricValueStatus {
    readonly value?: string
    readonly averageValue?: string
    readonly averageUtilization?: number
  }
  export interface ObjectMetricSource {
    readonly describedObject: autoscalingV2.CrossVersionObjectReference
    readonly target: autoscalingV2.MetricTarget
    readonly metric: autoscalingV2.MetricIdentifier
  }
  export interface ObjectMetricStatus {
    readonly metric: autoscalingV2.MetricIdentifier
    readonly current: autoscalingV2.MetricValueStatus
    readonly describedObject: autoscalingV2.CrossVersionObjectReference
  }
  export interface PodsMetricSource {
    readonly metric: autoscalingV2.MetricIdentifier
    readonly target: autoscalingV2.MetricTarget
  }
  export interface PodsMetricStatus {
    readonly metric: autoscalingV2.MetricIdentifier
    readonly current: autoscalingV2.MetricValueStatus
  }
  export interface ResourceMetricSource {
    readonly name: string
    readonly target: autoscalingV2.MetricTarget
  }
  export interface ResourceMetricStatus {
    readonly name: string
    readonly current: autoscalingV2.MetricValueStatus
  }
}

export namespace batch {
  export interface CronJob {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec?: batch.CronJobSpec
    readonly status?: batch.CronJobStatus
  }
  export interface CronJobSpec {
    readonly schedule: string
    readonly timeZone?: string
    readonly startingDeadlineSeconds?: number
    readonly concurrencyPolicy?: string
    readonly suspend?: boolean
    readonly jobTemplate: batch.JobTemplateSpec
    readonly successfulJobsHistoryLimit?: number
    readonly failedJobsHistoryLimit?: number
  }
  export interface CronJobStatus {
    readonly active?: readonly core.ObjectReference[]
    readonly lastScheduleTime?: string
    readonly lastSuccessfulTime?: string
  }
  export interface Job {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec?: batch.JobSpec
    readonly status?: batch.JobStatus
  }
  export interface JobCondition {
    readonly type: string
    readonly status: string
    readonly lastProbeTime?: string
    readonly lastTransitionTime?: string
    readonly reason?: string
    readonly message?: string
  }
  export interface JobSchedulingConfiguration {
    readonly schedulingPolicy?: schedulingV1alpha3.WorkloadPodGroupSchedulingPolicy
    readonly schedulingConstraints?: schedulingV1alpha3.WorkloadPodGroupSchedulingConstraints
    readonly disruptionMode?: schedulingV1alpha3.WorkloadPodGroupDisruptionMode
    readonly resourceClaims?: readonly schedulingV1alpha3.WorkloadPodGroupResourceClaim[]
  }
  export interface JobSpec {
    readonly parallelism?: number
    readonly completions?: number
    readonly activeDeadlineSeconds?: number
    readonly podFailurePolicy?: batch.PodFailurePolicy
    readonly successPolicy?: batch.SuccessPolicy
    readonly backoffLimit?: number
    readonly backoffLimitPerIndex?: number
    readonly maxFailedIndexes?: number
    readonly selector?: meta.LabelSelector
    readonly manualSelector?: boolean
    readonly template: core.PodTemplateSpec
    readonly ttlSecondsAfterFinished?: number
    readonly completionMode?: string
    readonly suspend?: boolean
    readonly podReplacementPolicy?: string
    readonly managedBy?: string
    readonly scheduling?: batch.JobSchedulingConfiguration
    readonly terminatingAsActive?: boolean
  }
  export interface JobStatus {
    readonly conditions?: readonly batch.JobCondition[]
    readonly startTime?: string
    readonly completionTime?: string
    readonly active?: number
    readonly succeeded?: number
    readonly failed?: number
    readonly terminating?: number
    readonly completedIndexes?: string
    readonly failedIndexes?: string
    readonly uncountedTerminatedPods?: batch.UncountedTerminatedPods
    readonly ready?: number
  }
  export interface JobTemplateSpec {
    readonly metadata?: meta.ObjectMeta
    readonly spec?: batch.JobSpec
  }
  export interface PodFailurePolicy {
    readonly rules: readonly batch.PodFailurePolicyRule[]
  }
  export interface PodFailurePolicyOnExitCodesRequirement {
    readonly containerName?: string
    readonly operator: string
    readonly values: readonly number[]
  }
  export interface PodFailurePolicyOnPodConditionsPattern {
    readonly type: string
    readonly status?: string
  }
  export interface PodFailurePolicyRule {
    readonly action: string
    readonly onExitCodes?: batch.PodFailurePolicyOnExitCodesRequirement
    readonly onPodConditions?: readonly batch.PodFailurePolicyOnPodConditionsPattern[]
  }
  export interface SuccessPolicy {
    readonly rules: readonly batch.SuccessPolicyRule[]
  }
  export interface SuccessPolicyRule {
    readonly succeededIndexes?: string
    readonly succeededCount?: number
  }
  export interface UncountedTerminatedPods {
    readonly succeeded?: readonly string[]
    readonly failed?: readonly string[]
  }
}

export namespace certificates {
  export interface CertificateSigningRequest {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec: certificates.CertificateSigningRequestSpec
    readonly status?: certificates.CertificateSigningRequestStatus
  }
  export interface CertificateSigningRequestCondition {
    readonly type: string
    readonly status: string
    readonly reason?: string
    readonly message?: string
    readonly lastUpdateTime?: string
    readonly lastTransitionTime?: string
  }
  export interface CertificateSigningRequestSpec {
    readonly request: string
    readonly signerName: string
    readonly expirationSeconds?: number
    readonly usages?: readonly string[]
    readonly username?: string
    readonly uid?: string
    readonly groups?: readonly string[]
    readonly extra?: { readonly [key: string]: readonly string[] }
  }
  export interface CertificateSigningRequestStatus {
    readonly conditions?: readonly certificates.CertificateSigningRequestCondition[]
    readonly certificate?: string
  }
  export interface ClusterTrustBundle {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec: certificates.ClusterTrustBundleSpec
  }
  export interface ClusterTrustBundleSpec {
    readonly signerName?: string
    readonly trustBundle: string
  }
  export interface PodCertificateRequest {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec: certificates.PodCertificateRequestSpec
    readonly status?: certificates.PodCertificateRequestStatus
  }
  export interface PodCertificateRequestSpec {
    readonly signerName: string
    readonly podName: string
    readonly podUID: string
    readonly serviceAccountName: string
    readonly serviceAccountUID: string
    readonly nodeName: string
    readonly nodeUID: string
    readonly maxExpirationSeconds?: number
    readonly stubPKCS10Request: string
    readonly unverifiedUserAnnotations?: { readonly [key: string]: string }
  }
  export interface PodCertificateRequestStatus {
    readonly conditions?: readonly meta.Condition[]
    readonly certificateChain?: string
    readonly notBefore?: string
    readonly beginRefreshAt?: string
    readonly notAfter?: string
  }
}

export namespace coordination {
  export interface Lease {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec?: coordination.LeaseSpec
  }
  export interface LeaseSpec {
    readonly holderIdentity?: string
    readonly leaseDurationSeconds?: number
    readonly acquireTime?: string
    readonly renewTime?: string
    readonly leaseTransitions?: number
    readonly strategy?: string
    readonly preferredHolder?: string
  }
}

export namespace coordinationV1beta1 {
  export interface LeaseCandidate {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec?: coordinationV1beta1.LeaseCandidateSpec
  }
  export interface LeaseCandidateSpec {
    readonly leaseName: string
    readonly pingTime?: string
    readonly renewTime?: string
    readonly binaryVersion: string
    readonly emulationVersion?: string
    readonly strategy?: string
  }
}

export namespace core {
  export interface AWSElasticBlockStoreVolumeSource {
    readonly volumeID: string
    readonly fsType?: string
    readonly partition?: number
    readonly readOnly?: boolean
  }
  export interface Affinity {
    readonly nodeAffinity?: core.NodeAffinity
    readonly podAffinity?: core.PodAffinity
    readonly podAntiAffinity?: core.PodAntiAffinity
  }
  export interface AppArmorProfile {
    readonly type: string
    readonly localhostProfile?: string
  }
  export interface AttachedVolume {
    readonly name: string
    readonly devicePath: string
  }
  export interface AzureDiskVolumeSource {
    readonly diskName: string
    readonly diskURI: string
    readonly cachingMode?: string
    readonly fsType?: string
    readonly readOnly?: boolean
    readonly kind?: string
  }
  export interface AzureFilePersistentVolumeSource {
    readonly secretName: string
    readonly shareName: string
    readonly readOnly?: boolean
    readonly secretNamespace?: string
  }
  export interface AzureFileVolumeSource {
    readonly secretName: string
    readonly shareName: string
    readonly readOnly?: boolean
  }
  export interface Binding {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly target: core.ObjectReference
  }
  export interface CSIPersistentVolumeSource {
    readonly driver: string
    readonly volumeHandle: string
    readonly readOnly?: boolean
    readonly fsType?: string
    readonly volumeAttributes?: { readonly [key: string]: string }
    readonly controllerPublishSecretRef?: core.SecretReference
    readonly nodeStageSecretRef?: core.SecretReference
    readonly nodePublishSecretRef?: core.SecretReference
    readonly controllerExpandSecretRef?: core.SecretReference
    readonly nodeExpandSecretRef?: core.SecretReference
  }
  export interface CSIVolumeSource {
    readonly driver: string
    readonly readOnly?: boolean
    readonly fsType?: string
    readonly volumeAttributes?: { readonly [key: string]: string }
    readonly nodePublishSecretRef?: core.LocalObjectReference
  }
  export interface Capabilities {
    readonly add?: readonly string[]
    readonly drop?: readonly string[]
  }
  export interface CephFSPersistentVolumeSource {
    readonly monitors: readonly string[]
    readonly path?: string
    readonly user?: string
    readonly secretFile?: string
    readonly secretRef?: core.SecretReference
    readonly readOnly?: boolean
  }
  export interface CephFSVolumeSource {
    readonly monitors: readonly string[]
    readonly path?: string
    readonly user?: string
    readonly secretFile?: string
    readonly secretRef?: core.LocalObjectReference
    readonly readOnly?: boolean
  }
  export interface CinderPersistentVolumeSource {
    readonly volumeID: string
    readonly fsType?: string
    readonly readOnly?: boolean
    readonly secretRef?: core.SecretReference
  }
  export interface CinderVolumeSource {
    readonly volumeID: string
    readonly fsType?: string
    readonly readOnly?: boolean
    readonly secretRef?: core.LocalObjectReference
  }
  export interface ClientIPConfig {
    readonly timeoutSeconds?: number
  }
  export interface ClusterTrustBundleProjection {
    readonly name?: string
    readonly signerName?: string
    readonly labelSelector?: meta.LabelSelector
    readonly optional?: boolean
    readonly path: string
    readonly user?: number
  }
  export interface ComponentCondition {
    readonly type: string
    readonly status: string
    readonly message?: string
    readonly error?: string
  }
  export interface ComponentStatus {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly conditions?: readonly core.ComponentCondition[]
  }
  export interface ConfigMap {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly immutable?: boolean
    readonly data?: { readonly [key: string]: string }
    readonly binaryData?: { readonly [key: string]: string }
  }
  export interface ConfigMapEnvSource {
    readonly name?: string
    readonly optional?: boolean
  }
  export interface ConfigMapKeySelector {
    readonly name?: string
    readonly key: string
    readonly optional?: boolean
  }
  export interface ConfigMapNodeConfigSource {
    readonly namespace: string
    readonly name: string
    readonly uid?: string
    readonly resourceVersion?: string
    readonly kubeletConfigKey: string
  }
  export interface ConfigMapProjection {
    readonly name?: string
    readonly items?: readonly core.KeyToPath[]
    readonly optional?: boolean
  }
  export interface ConfigMapVolumeSource {
    readonly name?: string
    readonly items?: readonly core.KeyToPath[]
    readonly defaultMode?: number
    readonly optional?: boolean
    readonly defaultUser?: number
  }
  export interface Container {
    readonly name: string
    readonly image?: string
    readonly command?: readonly string[]
    readonly args?: readonly string[]
    readonly workingDir?: string
    readonly ports?: readonly core.ContainerPort[]
    readonly envFrom?: readonly core.EnvFromSource[]
    readonly env?: readonly core.EnvVar[]
    readonly resources?: core.ResourceRequirements
    readonly resizePolicy?: readonly core.ContainerResizePolicy[]
    readonly restartPolicy?: string
    readonly restartPolicyRules?: readonly core.ContainerRestartRule[]
    readonly volumeMounts?: readonly core.VolumeMount[]
    readonly volumeDevices?: readonly core.VolumeDevice[]
    readonly livenessProbe?: core.Probe
    readonly readinessProbe?: core.Probe
    readonly startupProbe?: core.Probe
    readonly lifecycle?: core.Lifecycle
    readonly terminationMessagePath?: string
    readonly terminationMessagePolicy?: string
    readonly imagePullPolicy?: string
    readonly securityContext?: core.SecurityContext
    readonly stdin?: boolean
    readonly stdinOnce?: boolean
    readonly tty?: boolean
  }
  export interface ContainerExtendedResourceRequest {
    readonly containerName: string
    readonly resourceName: string
    readonly requestName: string
  }
  export interface ContainerImage {
    readonly names?: readonly string[]
    readonly sizeBytes?: number
  }
  export interface ContainerPort {
    readonly name?: string
    readonly hostPort?: number
    readonly containerPort: number
    readonly protocol?: string
    readonly hostIP?: string
  }
  export interface ContainerResizePolicy {
    readonly resourceName: string
    readonly restartPolicy: string
  }
  export interface ContainerRestartRule {
    readonly action?: string
    readonly exitCodes?: core.ContainerRestartRuleOnExitCodes
  }
  export interface ContainerRestartRuleOnExitCodes {
    readonly operator?: string
    readonly values?: readonly number[]
  }
  export interface ContainerState {
    readonly waiting?: core.ContainerStateWaiting
    readonly running?: core.ContainerStateRunning
    readonly terminated?: core.ContainerStateTerminated
  }
  export interface ContainerStateRunning {
    readonly startedAt?: string
  }
  export interface ContainerStateTerminated {
    readonly exitCode: number
    readonly signal?: number
    readonly reason?: string
    readonly message?: string
    readonly startedAt?: string
    readonly finishedAt?: string
    readonly containerID?: string
  }
  export interface ContainerStateWaiting {
    readonly reason?: string
    readonly message?: string
  }
  export interface ContainerStatus {
    readonly name: string
    readonly state?: core.ContainerState
    readonly lastState?: core.ContainerState
    readonly ready: boolean
    readonly restartCount: number
    readonly image: string
    readonly imageID: string
    readonly containerID?: string
    readonly started?: boolean
    readonly allocatedResources?: { readonly [key: string]: string }
    readonly resources?: core.ResourceRequirements
    readonly volumeMounts?: readonly core.VolumeMountStatus[]
    readonly user?: core.ContainerUser
    readonly allocatedResourcesStatus?: readonly core.ResourceStatus[]
    readonly stopSignal?: string
  }
  export interface ContainerUser {
    readonly linux?: core.LinuxContainerUser
  }
  export interface DaemonEndpoint {
    readonly Port: number
  }
  export interface DownwardAPIProjection {
    readonly items?: readonly core.DownwardAPIVolumeFile[]
  }
  export interface DownwardAPIVolumeFile {
    readonly path: string
    readonly fieldRef?: core.ObjectFieldSelector
    readonly resourceFieldRef?: core.ResourceFieldSelector
    readonly mode?: number
    readonly user?: number
  }
  export interface DownwardAPIVolumeSource {
    readonly items?: readonly core.DownwardAPIVolumeFile[]
    readonly defaultMode?: number
    readonly defaultUser?: number
  }
  export interface EmptyDirVolumeSource {
    readonly medium?: string
    readonly sizeLimit?: string
    readonly mode?: number
  }
  export interface EndpointAddress {
    readonly ip: string
    readonly hostname?: string
    readonly nodeName?: string
    readonly targetRef?: core.ObjectReference
  }
  export interface EndpointPort {
    readonly name?: string
    readonly port: number
    readonly protocol?: string
    readonly appProtocol?: string
  }
  export interface EndpointSubset {
    readonly addresses?: readonly core.EndpointAddress[]
    readonly notReadyAddresses?: readonly core.EndpointAddress[]
    readonly ports?: readonly core.EndpointPort[]
  }
  export interface Endpoints {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly subsets?: readonly core.EndpointSubset[]
  }
  export interface EnvFromSource {
    readonly prefix?: string
    readonly configMapRef?: core.ConfigMapEnvSource
    readonly secretRef?: core.SecretEnvSource
  }
  export interface EnvVar {
    readonly name: string
    readonly value?: string
    readonly valueFrom?: core.EnvVarSource
  }
  export interface EnvVarSource {
    readonly fieldRef?: core.ObjectFieldSelector
    readonly resourceFieldRef?: core.ResourceFieldSelector
    readonly configMapKeyRef?: core.ConfigMapKeySelector
    readonly secretKeyRef?: core.SecretKeySelector
    readonly fileKeyRef?: core.FileKeySelector
  }
  export interface EphemeralContainer {
    readonly name: string
    readonly image?: string
    readonly command?: readonly string[]
    readonly args?: readonly string[]
    readonly workingDir?: string
    readonly ports?: readonly core.ContainerPort[]
    readonly envFrom?: readonly core.EnvFromSource[]
    readonly env?: readonly core.EnvVar[]
    readonly resources?: core.ResourceRequirements
    readonly resizePolicy?: readonly core.ContainerResizePolicy[]
    readonly restartPolicy?: string
    readonly restartPolicyRules?: readonly core.ContainerRestartRule[]
    readonly volumeMounts?: readonly core.VolumeMount[]
    readonly volumeDevices?: readonly core.VolumeDevice[]
    readonly livenessProbe?: core.Probe
    readonly readinessProbe?: core.Probe
    readonly startupProbe?: core.Probe
    readonly lifecycle?: core.Lifecycle
    readonly terminationMessagePath?: string
    readonly terminationMessagePolicy?: string
    readonly imagePullPolicy?: string
    readonly securityContext?: core.SecurityContext
    readonly stdin?: boolean
    readonly stdinOnce?: boolean
    readonly tty?: boolean
    readonly targetContainerName?: string
  }
  export interface EphemeralVolumeSource {
    readonly volumeClaimTemplate?: core.PersistentVolumeClaimTemplate
  }
  export interface Event {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata: meta.ObjectMeta
    readonly involvedObject: core.ObjectReference
    readonly reason?: string
    readonly message?: string
    readonly source?: core.EventSource
    readonly firstTimestamp?: string
    readonly lastTimestamp?: string
    readonly count?: number
    readonly type?: string
    readonly eventTime?: string
    readonly series?: core.EventSeries
    readonly action?: string
    readonly related?: core.ObjectReference
    readonly reportingComponent?: string
    readonly reportingInstance?: string
  }
  export interface EventSeries {
    readonly count?: number
    readonly lastObservedTime?: string
  }
  export interface EventSource {
    readonly component?: string
    readonly host?: string
  }
  export interface EvictionResponder {
    readonly name: string
    readonly priority: number
  }
  export interface ExecAction {
    readonly command?: readonly string[]
  }
  export interface FCVolumeSource {
    readonly targetWWNs?: readonly string[]
    readonly lun?: number
    readonly fsType?: string
    readonly readOnly?: boolean
    readonly wwids?: readonly string[]
  }
  export interface FileKeySelector {
    readonly volumeName: string
    readonly path: string
    readonly key: string
    readonly optional?: boolean
  }
  export interface FlexPersistentVolumeSource {
    readonly driver: string
    readonly fsType?: string
    readonly secretRef?: core.SecretReference
    readonly readOnly?: boolean
    readonly options?: { readonly [key: string]: string }
  }
  export interface FlexVolumeSource {
    readonly driver: string
    readonly fsType?: string
    readonly secretRef?: core.LocalObjectReference
    readonly readOnly?: boolean
    readonly options?: { readonly [key: string]: string }
  }
  export interface FlockerVolumeSource {
    readonly datasetName?: string
    readonly datasetUUID?: string
  }
  export interface GCEPersistentDiskVolumeSource {
    readonly pdName: string
    readonly fsType?: string
    readonly partition?: number
    readonly readOnly?: boolean
  }
  export interface GRPCAction {
    readonly port: number
    readonly service?: string
    readonly mode?: string
  }
  export interface GitRepoVolumeSource {
    readonly repository: string
    readonly revision?: string
    readonly directory?: string
  }
  export interface GlusterfsPersistentVolumeSource {
    readonly endpoints: string
    readonly path: string
    readonly readOnly?: boolean
    readonly endpointsNamespace?: string
  }
  export interface GlusterfsVolumeSource {
    readonly endpoints: string
    readonly path: string
    readonly readOnly?: boolean
  }
  export interface HTTPGetAction {
    readonly path?: string
    readonly port: number | string
    readonly host?: string
    readonly scheme?: string
    readonly httpHeaders?: readonly core.HTTPHeader[]
    readonly protocol?: string
  }
  export interface HTTPHeader {
    readonly name: string
    readonly value: string
  }
  export interface HostAlias {
    readonly ip: string
    readonly hostnames?: readonly string[]
  }
  export interface HostIP {
    readonly ip: string
  }
  export interface HostPathVolumeSource {
    readonly path: string
    readonly type?: string
  }
  export interface ISCSIPersistentVolumeSource {
    readonly targetPortal: string
    readonly iqn: string
    readonly lun: number
    readonly iscsiInterface?: string
    readonly fsType?: string
    readonly readOnly?: boolean
    readonly portals?: readonly string[]
    readonly chapAuthDiscovery?: boolean
    readonly chapAuthSession?: boolean
    readonly secretRef?: core.SecretReference
    readonly initiatorName?: string
  }
  export interface ISCSIVolumeSource {
    readonly targetPortal: string
    readonly iqn: string
    readonly lun: number
    readonly iscsiInterface?: string
    readonly fsType?: string
    readonly readOnly?: boolean
    readonly portals?: readonly string[]
    readonly chapAuthDiscovery?: boolean
    readonly chapAuthSession?: boolean
    readonly secretRef?: core.LocalObjectReference
    readonly initiatorName?: string
  }
  export interface ImageVolumeSource {
    readonly reference?: string
    readonly pullPolicy?: string
  }
  export interface ImageVolumeStatus {
    readonly imageRef?: string
  }
  export interface KeyToPath {
    readonly key: string
    readonly path: string
    readonly mode?: number
    readonly user?: number
  }
  export interface Lifecycle {
    readonly postStart?: core.LifecycleHandler
    readonly preStop?: core.LifecycleHandler
    readonly stopSignal?: string
  }
  export interface LifecycleHandler {
    readonly exec?: core.ExecAction
    readonly httpGet?: core.HTTPGetAction
    readonly tcpSocket?: core.TCPSocketAction
    readonly sleep?: core.SleepAction
  }
  export interface LimitRange {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec?: core.LimitRangeSpec
  }
  export interface LimitRangeItem {
    readonly type: string
    readonly max?: { readonly [key: string]: string }
    readonly min?: { readonly [key: string]: string }
    readonly default?: { readonly [key: string]: string }
    readonly defaultRequest?: { readonly [key: string]: string }
    readonly maxLimitRequestRatio?: { readonly [key: string]: string }
  }
  export interface LimitRangeSpec {
    readonly limits: readonly core.LimitRangeItem[]
  }
  export interface LinuxContainerUser {
    readonly uid: number
    readonly gid: number
    readonly supplementalGroups?: readonly number[]
  }
  export interface LoadBalancerIngress {
    readonly ip?: string
    readonly hostname?: string
    readonly ipMode?: string
    readonly ports?: readonly core.PortStatus[]
  }
  export interface LoadBalancerStatus {
    readonly ingress?: readonly core.LoadBalancerIngress[]
  }
  export interface LocalObjectReference {
    readonly name?: string
  }
  export interface LocalVolumeSource {
    readonly path: string
    readonly fsType?: string
  }
  export interface ModifyVolumeStatus {
    readonly targetVolumeAttributesClassName?: string
    readonly status: string
  }
  export interface NFSVolumeSource {
    readonly server: string
    readonly path: string
    readonly readOnly?: boolean
  }
  export interface Namespace {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec?: core.NamespaceSpec
    readonly status?: core.NamespaceStatus
  }
  export interface NamespaceCondition {
    readonly type: string
    readonly status: string
    readonly lastTransitionTime?: string
    readonly reason?: string
    readonly message?: string
  }
  export interface NamespaceSpec {
    readonly finalizers?: readonly string[]
  }
  export interface NamespaceStatus {
    readonly phase?: string
    readonly conditions?: readonly core.NamespaceCondition[]
  }
  export interface Node {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec?: core.NodeSpec
    readonly status?: core.NodeStatus
  }
  export interface NodeAddress {
    readonly type: string
    readonly address: string
  }
  export interface NodeAffinity {
    readonly requiredDuringSchedulingIgnoredDuringExecution?: core.NodeSelector
    readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly core.PreferredSchedulingTerm[]
  }
  export interface NodeAllocatableMappedResources {
    readonly name: string
    readonly quantity: string
  }
  export interface NodeAllocatableOverheadResources {
    readonly name: string
    readonly perPod?: string
    readonly perContainer?: string
  }
  export interface NodeAllocatableResourceClaimStatus {
    readonly resourceClaimName: string
    readonly containers?: readonly string[]
    readonly mapping?: readonly core.NodeAllocatableMappedResources[]
    readonly overhead?: readonly core.NodeAllocatableOverheadResources[]
  }
  export interface NodeCondition {
    readonly type: string
    readonly status: string
    readonly lastHeartbeatTime?: string
    readonly lastTransitionTime?: string
    readonly reason?: string
    readonly message?: string
  }
  export interface NodeConfigSource {
    readonly configMap?: core.ConfigMapNodeConfigSource
  }
  export interface NodeConfigStatus {
    readonly assigned?: core.NodeConfigSource
    readonly active?: core.NodeConfigSource
    readonly lastKnownGood?: core.NodeConfigSource
    readonly error?: string
  }
  export interface NodeDaemonEndpoints {
    readonly kubeletEndpoint?: core.DaemonEndpoint
  }
  export interface NodeFeatures {
    readonly supplementalGroupsPolicy?: boolean
  }
  export interface NodePodPreemptionPolicy {
    readonly disableResizePreemption?: readonly string[]
  }
  export interface NodeRuntimeHandler {
    readonly name?: string
    readonly features?: core.NodeRuntimeHandlerFeatures
  }
  export interface NodeRuntimeHandlerFeatures {
    readonly recursiveReadOnlyMounts?: boolean
    readonly userNamespaces?: boolean
  }
  export interface NodeSelector {
    readonly nodeSelectorTerms: readonly core.NodeSelectorTerm[]
  }
  export interface NodeSelectorRequirement {
    readonly key: string
    readonly operator: string
    readonly values?: readonly string[]
  }
  export interface NodeSelectorTerm {
    readonly matchExpressions?: readonly core.NodeSelectorRequirement[]
    readonly matchFields?: readonly core.NodeSelectorRequirement[]
  }
  export interface NodeSpec {
    readonly podCIDR?: string
    readonly podCIDRs?: readonly string[]
    readonly providerID?: string
    readonly unschedulable?: boolean
    readonly taints?: readonly core.Taint[]
    readonly configSource?: core.NodeConfigSource
    readonly externalID?: string
    readonly podPreemptionPolicy?: core.NodePodPreemptionPolicy
  }
  export interface NodeStatus {
    readonly capacity?: { readonly [key: string]: string }
    readonly allocatable?: { readonly [key: string]: string }
    readonly phase?: string
    readonly conditions?: readonly core.NodeCondition[]
    readonly addresses?: readonly core.NodeAddress[]
    readonly daemonEndpoints?: core.NodeDaemonEndpoints
    readonly nodeInfo?: core.NodeSystemInfo
    readonly images?: readonly core.ContainerImage[]
    readonly volumesInUse?: readonly string[]
    readonly volumesAttached?: readonly core.AttachedVolume[]
    readonly config?: core.NodeConfigStatus
    readonly runtimeHandlers?: readonly core.NodeRuntimeHandler[]
    readonly features?: core.NodeFeatures
    readonly declaredFeatures?: readonly string[]
  }
  export interface NodeSwapStatus {
    readonly capacity?: number
  }
  export interface NodeSystemInfo {
    readonly machineID: string
    readonly systemUUID: string
    readonly bootID: string
    readonly kernelVersion: string
    readonly osImage: string
    readonly containerRuntimeVersion: string
    readonly kubeletVersion: string
    readonly kubeProxyVersion: string
    readonly operatingSystem: string
    readonly architecture: string
    readonly swap?: core.NodeSwapStatus
    readonly runningInUserNamespace?: boolean
  }
  export interface ObjectFieldSelector {
    readonly apiVersion?: string
    readonly fieldPath: string
  }
  export interface ObjectReference {
    readonly kind?: string
    readonly namespace?: string
    readonly name?: string
    readonly uid?: string
    readonly apiVersion?: string
    readonly resourceVersion?: string
    readonly fieldPath?: string
  }
  export interface PersistentVolume {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec?: core.PersistentVolumeSpec
    readonly status?: core.PersistentVolumeStatus
  }
  export interface PersistentVolumeClaim {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec?: core.PersistentVolumeClaimSpec
    readonly status?: core.PersistentVolumeClaimStatus
  }
  export interface PersistentVolumeClaimCondition {
    readonly type: string
    readonly status: string
    readonly lastProbeTime?: string
    readonly lastTransitionTime?: string
    readonly reason?: string
    readonly message?: string
  }
  export interface PersistentVolumeClaimSpec {
    readonly accessModes?: readonly string[]
    readonly selector?: meta.LabelSelector
    readonly resources?: core.VolumeResourceRequirements
    readonly volumeName?: string
    readonly storageClassName?: string
    readonly volumeMode?: string
    readonly dataSource?: core.TypedLocalObjectReference
    readonly dataSourceRef?: core.TypedObjectReference
    readonly volumeAttributesClassName?: string
  }
  export interface PersistentVolumeClaimStatus {
    readonly phase?: string
    readonly accessModes?: readonly string[]
    readonly capacity?: { readonly [key: string]: string }
    readonly conditions?: readonly core.PersistentVolumeClaimCondition[]
    readonly allocatedResources?: { readonly [key: string]: string }
    readonly allocatedResourceStatuses?: { readonly [key: string]: string }
    readonly currentVolumeAttributesClassName?: string
    readonly modifyVolumeStatus?: core.ModifyVolumeStatus
    readonly healthStatus?: core.VolumeHealthStatus
  }
  export interface PersistentVolumeClaimTemplate {
    readonly metadata?: meta.ObjectMeta
    readonly spec: core.PersistentVolumeClaimSpec
  }
  export interface PersistentVolumeClaimVolumeSource {
    readonly claimName: string
    readonly readOnly?: boolean
  }
  export interface PersistentVolumeSpec {
    readonly capacity?: { readonly [key: string]: string }
    readonly gcePersistentDisk?: core.GCEPersistentDiskVolumeSource
    readonly awsElasticBlockStore?: core.AWSElasticBlockStoreVolumeSource
    readonly hostPath?: core.HostPathVolumeSource
    readonly glusterfs?: core.GlusterfsPersistentVolumeSource
    readonly nfs?: core.NFSVolumeSource
    readonly rbd?: core.RBDPersistentVolumeSource
    readonly iscsi?: core.ISCSIPersistentVolumeSource
    readonly cinder?: core.CinderPersistentVolumeSource
    readonly cephfs?: core.CephFSPersistentVolumeSource
    readonly fc?: core.FCVolumeSource
    readonly flocker?: core.FlockerVolumeSource
    readonly flexVolume?: core.FlexPersistentVolumeSource
    readonly azureFile?: core.AzureFilePersistentVolumeSource
    readonly vsphereVolume?: core.VsphereVirtualDiskVolumeSource
    readonly quobyte?: core.QuobyteVolumeSource
    readonly azureDisk?: core.AzureDiskVolumeSource
    readonly photonPersistentDisk?: core.PhotonPersistentDiskVolumeSource
    readonly portworxVolume?: core.PortworxVolumeSource
    readonly scaleIO?: core.ScaleIOPersistentVolumeSource
    readonly local?: core.LocalVolumeSource
    readonly storageos?: core.StorageOSPersistentVolumeSource
    readonly csi?: core.CSIPersistentVolumeSource
    readonly accessModes?: readonly string[]
    readonly claimRef?: core.ObjectReference
    readonly persistentVolumeReclaimPolicy?: string
    readonly storageClassName?: string
    readonly mountOptions?: readonly string[]
    readonly volumeMode?: string
    readonly nodeAffinity?: core.VolumeNodeAffinity
    readonly volumeAttributesClassName?: string
  }
  export interface PersistentVolumeStatus {
    readonly phase?: string
    readonly message?: string
    readonly reason?: string
    readonly lastPhaseTransitionTime?: string
  }
  export interface PhotonPersistentDiskVolumeSource {
    readonly pdID: string
    readonly fsType?: string
  }
  export interface Pod {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec?: core.PodSpec
    readonly status?: core.PodStatus
  }
  export interface PodAffinity {
    readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly core.PodAffinityTerm[]
    readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly core.WeightedPodAffinityTerm[]
  }
  export interface PodAffinityTerm {
    readonly labelSelector?: meta.LabelSelector
    readonly namespaces?: readonly string[]
    readonly topologyKey: string
    readonly namespaceSelector?: meta.LabelSelector
    readonly matchLabelKeys?: readonly string[]
    readonly mismatchLabelKeys?: readonly string[]
  }
  export interface PodAntiAffinity {
    readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly core.PodAffinityTerm[]
    readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly core.WeightedPodAffinityTerm[]
  }
  export interface PodCertificateProjection {
    readonly signerName?: string
    readonly keyType?: string
    readonly maxExpirationSeconds?: number
    readonly credentialBundlePath?: string
    readonly keyPath?: string
    readonly certificateChainPath?: string
    readonly userAnnotations?: { readonly [key: string]: string }
    readonly user?: number
  }
  export interface PodCondition {
    readonly type: string
    readonly observedGeneration?: number
    readonly status: string
    readonly lastProbeTime?: string
    readonly lastTransitionTime?: string
    readonly reason?: string
    readonly message?: string
  }
  export interface PodDNSConfig {
    readonly nameservers?: readonly string[]
    readonly searches?: readonly string[]
    readonly options?: readonly core.PodDNSConfigOption[]
  }
  export interface PodDNSConfigOption {
    readonly name?: string
    readonly value?: string
  }
  export interface PodExtendedResourceClaimStatus {
    readonly requestMappings: readonly core.ContainerExtendedResourceRequest[]
    readonly resourceClaimName: string
  }
  export interface PodIP {
    readonly ip: string
  }
  export interface PodOS {
    readonly name: string
  }
  export interface PodReadinessGate {
    readonly conditionType: string
  }
  export interface PodResourceClaim {
    readonly name: string
    readonly resourceClaimName?: string
    readonly resourceClaimTemplateName?: string
  }
  export interface PodResourceClaimStatus {
    readonly name: string
    readonly resourceClaimName?: string
  }
  export interface PodSchedulingGate {
    readonly name: string
  }
  export interface PodSchedulingGroup {
    readonly podGroupName?: string
  }
  export interface PodSecurityContext {
    readonly seLinuxOptions?: core.SELinuxOptions
    readonly windowsOptions?: core.WindowsSecurityContextOptions
    readonly runAsUser?: number
    readonly runAsGroup?: number
    readonly runAsNonRoot?: boolean
    readonly supplementalGroups?: readonly number[]
    readonly supplementalGroupsPolicy?: string
    readonly fsGroup?: number
    readonly sysctls?: readonly core.Sysctl[]
    readonly fsGroupChangePolicy?: string
    readonly seccompProfile?: core.SeccompProfile
    readonly appArmorProfile?: core.AppArmorProfile
    readonly seLinuxChangePolicy?: string
  }
  export interface PodSpec {
    readonly volumes?: readonly core.Volume[]
    readonly initContainers?: readonly core.Container[]
    readonly containers: readonly core.Container[]
    readonly ephemeralContainers?: readonly core.EphemeralContainer[]
    readonly restartPolicy?: string
    readonly terminationGracePeriodSeconds?: number
    readonly activeDeadlineSeconds?: number
    readonly dnsPolicy?: string
    readonly nodeSelector?: { readonly [key: string]: string }
    readonly serviceAccountName?: string
    readonly serviceAccount?: string
    readonly automountServiceAccountToken?: boolean
    readonly nodeName?: string
    readonly hostNetwork?: boolean
    readonly hostPID?: boolean
    readonly hostIPC?: boolean
    readonly shareProcessNamespace?: boolean
    readonly securityContext?: core.PodSecurityContext
    readonly imagePullSecrets?: readonly core.LocalObjectReference[]
    readonly hostname?: string
    readonly subdomain?: string
    readonly affinity?: core.Affinity
    readonly schedulerName?: string
    readonly tolerations?: readonly core.Toleration[]
    readonly hostAliases?: readonly core.HostAlias[]
    readonly priorityClassName?: string
    readonly priority?: number
    readonly dnsConfig?: core.PodDNSConfig
    readonly readinessGates?: readonly core.PodReadinessGate[]
    readonly runtimeClassName?: string
    readonly enableServiceLinks?: boolean
    readonly preemptionPolicy?: string
    readonly overhead?: { readonly [key: string]: string }
    readonly topologySpreadConstraints?: readonly core.TopologySpreadConstraint[]
    readonly setHostnameAsFQDN?: boolean
    readonly os?: core.PodOS
    readonly hostUsers?: boolean
    readonly schedulingGates?: readonly core.PodSchedulingGate[]
    readonly resourceClaims?: readonly core.PodResourceClaim[]
    readonly resources?: core.ResourceRequirements
    readonly hostnameOverride?: string
    readonly schedulingGroup?: core.PodSchedulingGroup
    readonly evictionResponders?: readonly core.EvictionResponder[]
  }
  export interface PodStatus {
    readonly observedGeneration?: number
    readonly phase?: string
    readonly conditions?: readonly core.PodCondition[]
    readonly message?: string
    readonly reason?: string
    readonly nominatedNodeName?: string
    readonly hostIP?: string
    readonly hostIPs?: readonly core.HostIP[]
    readonly podIP?: string
    readonly podIPs?: readonly core.PodIP[]
    readonly startTime?: string
    readonly initContainerStatuses?: readonly core.ContainerStatus[]
    readonly containerStatuses?: readonly core.ContainerStatus[]
    readonly qosClass?: string
    readonly ephemeralContainerStatuses?: readonly core.ContainerStatus[]
    readonly resize?: string
    readonly resourceClaimStatuses?: readonly core.PodResourceClaimStatus[]
    readonly extendedResourceClaimStatus?: core.PodExtendedResourceClaimStatus
    readonly allocatedResources?: { readonly [key: string]: string }
    readonly resources?: core.ResourceRequirements
    readonly nodeAllocatableResourceClaimStatuses?: readonly core.NodeAllocatableResourceClaimStatus[]
    readonly volumeHealth?: readonly core.PodVolumeHealth[]
  }
  export interface PodTemplate {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly template?: core.PodTemplateSpec
  }
  export interface PodTemplateSpec {
    readonly metadata?: meta.ObjectMeta
    readonly spec?: core.PodSpec
  }
  export interface PodVolumeHealth {
    readonly name: string
    readonly healthConditions?: readonly core.VolumeHealthCondition[]
    readonly lastTransitionTime?: string
  }
  export interface PortStatus {
    readonly port: number
    readonly protocol: string
    readonly error?: string
  }
  export interface PortworxVolumeSource {
    readonly volumeID: string
    readonly fsType?: string
    readonly readOnly?: boolean
  }
  export interface PreferredSchedulingTerm {
    readonly weight: number
    readonly preference: core.NodeSelectorTerm
  }
  export interface Probe {
    readonly exec?: core.ExecAction
    readonly httpGet?: core.HTTPGetAction
    readonly tcpSocket?: core.TCPSocketAction
    readonly grpc?: core.GRPCAction
    readonly initialDelaySeconds?: number
    readonly timeoutSeconds?: number
    readonly periodSeconds?: number
    readonly successThreshold?: number
    readonly failureThreshold?: number
    readonly terminationGracePeriodSeconds?: number
  }
  export interface ProjectedVolumeSource {
    readonly sources?: readonly core.VolumeProjection[]
    readonly defaultMode?: number
    readonly defaultUser?: number
  }
  export interface QuobyteVolumeSource {
    readonly registry: string
    readonly volume: string
    readonly readOnly?: boolean
    readonly user?: string
    readonly group?: string
    readonly tenant?: string
  }
  export interface RBDPersistentVolumeSource {
    readonly monitors: readonly string[]
    readonly image: string
    readonly fsType?: string
    readonly pool?: string
    readonly user?: string
    readonly keyring?: string
    readonly secretRef?: core.SecretReference
    readonly readOnly?: boolean
  }
  export interface RBDVolumeSource {
    readonly monitors: readonly string[]
    readonly image: string
    readonly fsType?: string
    readonly pool?: string
    readonly user?: string
    readonly keyring?: string
    readonly secretRef?: core.LocalObjectReference
    readonly readOnly?: boolean
  }
  export interface ReplicationController {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec?: core.ReplicationControllerSpec
    readonly status?: core.ReplicationControllerStatus
  }
  export interface ReplicationControllerCondition {
    readonly type: string
    readonly status: string
    readonly lastTransitionTime?: string
    readonly reason?: string
    readonly message?: string
  }
  export interface ReplicationControllerSpec {
    readonly replicas?: number
    readonly minReadySeconds?: number
    readonly selector?: { readonly [key: string]: string }
    readonly template?: core.PodTemplateSpec
    readonly operationalThreshold?: number | string
  }
  export interface ReplicationControllerStatus {
    readonly replicas: number
    readonly fullyLabeledReplicas?: number
    readonly readyReplicas?: number
    readonly availableReplicas?: number
    readonly observedGeneration?: number
    readonly conditions?: readonly core.ReplicationControllerCondition[]
  }
  export interface ResourceClaim {
    readonly name: string
    readonly request?: string
  }
  export interface ResourceFieldSelector {
    readonly containerName?: string
    readonly resource: string
    readonly divisor?: string
  }
  export interface ResourceHealth {
    readonly resourceID: string
    readonly health?: string
    readonly message?: string
  }
  export interface ResourceQuota {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec?: core.ResourceQuotaSpec
    readonly status?: core.ResourceQuotaStatus
  }
  export interface ResourceQuotaSpec {
    readonly hard?: { readonly [key: string]: string }
    readonly scopes?: readonly string[]
    readonly scopeSelector?: core.ScopeSelector
  }
  export interface ResourceQuotaStatus {
    readonly hard?: { readonly [key: string]: string }
    readonly used?: { readonly [key: string]: string }
  }
  export interface ResourceRequirements {
    readonly limits?: { readonly [key: string]: string }
    readonly requests?: { readonly [key: string]: string }
    readonly claims?: readonly core.ResourceClaim[]
  }
  export interface ResourceStatus {
    readonly name: string
    readonly resources?: readonly core.ResourceHealth[]
  }
  export interface SELinuxOptions {
    readonly user?: string
    readonly role?: string
    readonly type?: string
    readonly level?: string
  }
  export interface ScaleIOPersistentVolumeSource {
    readonly gateway: string
    readonly system: string
    readonly secretRef: core.SecretReference
    readonly sslEnabled?: boolean
    readonly protectionDomain?: string
    readonly storagePool?: string
    readonly storageMode?: string
    readonly volumeName?: string
    readonly fsType?: string
    readonly readOnly?: boolean
  }
  export interface ScaleIOVolumeSource {
    readonly gateway: string
    readonly system: string
    readonly secretRef: core.LocalObjectReference
    readonly sslEnabled?: boolean
    readonly protectionDomain?: string
    readonly storagePool?: string
    readonly storageMode?: string
    readonly volumeName?: string
    readonly fsType?: string
    readonly readOnly?: boolean
  }
  export interface ScopeSelector {
    readonly matchExpressions?: readonly core.ScopedResourceSelectorRequirement[]
  }
  export interface ScopedResourceSelectorRequirement {
    readonly scopeName: string
    readonly operator: string
    readonly values?: readonly string[]
  }
  export interface SeccompProfile {
    readonly type: string
    readonly localhostProfile?: string
  }
  export interface Secret {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly immutable?: boolean
    readonly data?: { readonly [key: string]: string }
    readonly stringData?: { readonly [key: string]: string }
    readonly type?: string
  }
  export interface SecretEnvSource {
    readonly name?: string
    readonly optional?: boolean
  }
  export interface SecretKeySelector {
    readonly name?: string
    readonly key: string
    readonly optional?: boolean
  }
  export interface SecretProjection {
    readonly name?: string
    readonly items?: readonly core.KeyToPath[]
    readonly optional?: boolean
  }
  export interface SecretReference {
    readonly name?: string
    readonly namespace?: string
  }
  export interface SecretVolumeSource {
    readonly secretName?: string
    readonly items?: readonly core.KeyToPath[]
    readonly defaultMode?: number
    readonly optional?: boolean
    readonly defaultUser?: number
  }
  export interface SecurityContext {
    readonly capabilities?: core.Capabilities
    readonly privileged?: boolean
    readonly seLinuxOptions?: core.SELinuxOptions
    readonly windowsOptions?: core.WindowsSecurityContextOptions
    readonly runAsUser?: number
    readonly runAsGroup?: number
    readonly runAsNonRoot?: boolean
    readonly readOnlyRootFilesystem?: boolean
    readonly allowPrivilegeEscalation?: boolean
    readonly procMount?: string
    readonly seccompProfile?: core.SeccompProfile
    readonly appArmorProfile?: core.AppArmorProfile
  }
  export interface Service {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec?: core.ServiceSpec
    readonly status?: core.ServiceStatus
  }
  export interface ServiceAccount {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly secrets?: readonly core.ObjectReference[]
    readonly imagePullSecrets?: readonly core.LocalObjectReference[]
    readonly automountServiceAccountToken?: boolean
  }
  export interface ServiceAccountTokenProjection {
    readonly audience?: string
    readonly expirationSeconds?: number
    readonly path: string
    readonly user?: number
  }
  export interface ServicePort {
    readonly name?: string
    readonly protocol?: string
    readonly appProtocol?: string
    readonly port: number
    readonly targetPort?: number | string
    readonly nodePort?: number
  }
  export interface ServiceSpec {
    readonly ports?: readonly core.ServicePort[]
    readonly selector?: { readonly [key: string]: string }
    readonly clusterIP?: string
    readonly clusterIPs?: readonly string[]
    readonly type?: string
    readonly externalIPs?: readonly string[]
    readonly sessionAffinity?: string
    readonly loadBalancerIP?: string
    readonly loadBalancerSourceRanges?: readonly string[]
    readonly externalName?: string
    readonly externalTrafficPolicy?: string
    readonly healthCheckNodePort?: number
    readonly publishNotReadyAddresses?: boolean
    readonly sessionAffinityConfig?: core.SessionAffinityConfig
    readonly ipFamilies?: readonly string[]
    readonly ipFamilyPolicy?: string
    readonly allocateLoadBalancerNodePorts?: boolean
    readonly loadBalancerClass?: string
    readonly internalTrafficPolicy?: string
    readonly trafficDistribution?: string
  }
  export interface ServiceStatus {
    readonly loadBalancer?: core.LoadBalancerStatus
    readonly conditions?: readonly meta.Condition[]
  }
  export interface SessionAffinityConfig {
    readonly clientIP?: core.ClientIPConfig
  }
  export interface SleepAction {
    readonly seconds: number
  }
  export interface StorageOSPersistentVolumeSource {
    readonly volumeName?: string
    readonly volumeNamespace?: string
    readonly fsType?: string
    readonly readOnly?: boolean
    readonly secretRef?: core.ObjectReference
  }
  export interface StorageOSVolumeSource {
    readonly volumeName?: string
    readonly volumeNamespace?: string
    readonly fsType?: string
    readonly readOnly?: boolean
    readonly secretRef?: core.LocalObjectReference
  }
  export interface Sysctl {
    readonly name: string
    readonly value: string
  }
  export interface TCPSocketAction {
    readonly port: number | string
    readonly host?: string
  }
  export interface Taint {
    readonly key: string
    readonly value?: string
    readonly effect: string
    readonly timeAdded?: string
  }
  export interface Toleration {
    readonly key?: string
    readonly operator?: string
    readonly value?: string
    readonly effect?: string
    readonly tolerationSeconds?: number
  }
  export interface TopologySelectorLabelRequirement {
    readonly key: string
    readonly values: readonly string[]
  }
  export interface TopologySelectorTerm {
    readonly matchLabelExpressions?: readonly core.TopologySelectorLabelRequirement[]
  }
  export interface TopologySpreadConstraint {
    readonly maxSkew: number
    readonly topologyKey: string
    readonly whenUnsatisfiable: string
    readonly labelSelector?: meta.LabelSelector
    readonly minDomains?: number
    readonly nodeAffinityPolicy?: string
    readonly nodeTaintsPolicy?: string
    readonly matchLabelKeys?: readonly string[]
  }
  export interface TypedLocalObjectReference {
    readonly apiGroup?: string
    readonly kind: string
    readonly name: string
  }
  export interface TypedObjectReference {
    readonly apiGroup?: string
    readonly kind: string
    readonly name: string
    readonly namespace?: string
  }
  export interface Volume {
    readonly name: string
    readonly hostPath?: core.HostPathVolumeSource
    readonly emptyDir?: core.EmptyDirVolumeSource
    readonly gcePersistentDisk?: core.GCEPersistentDiskVolumeSource
    readonly awsElasticBlockStore?: core.AWSElasticBlockStoreVolumeSource
    readonly gitRepo?: core.GitRepoVolumeSource
    readonly secret?: core.SecretVolumeSource
    readonly nfs?: core.NFSVolumeSource
    readonly iscsi?: core.ISCSIVolumeSource
    readonly glusterfs?: core.GlusterfsVolumeSource
    readonly persistentVolumeClaim?: core.PersistentVolumeClaimVolumeSource
    readonly rbd?: core.RBDVolumeSource
    readonly flexVolume?: core.FlexVolumeSource
    readonly cinder?: core.CinderVolumeSource
    readonly cephfs?: core.CephFSVolumeSource
    readonly flocker?: core.FlockerVolumeSource
    readonly downwardAPI?: core.DownwardAPIVolumeSource
    readonly fc?: core.FCVolumeSource
    readonly azureFile?: core.AzureFileVolumeSource
    readonly configMap?: core.ConfigMapVolumeSource
    readonly vsphereVolume?: core.VsphereVirtualDiskVolumeSource
    readonly quobyte?: core.QuobyteVolumeSource
    readonly azureDisk?: core.AzureDiskVolumeSource
    readonly photonPersistentDisk?: core.PhotonPersistentDiskVolumeSource
    readonly projected?: core.ProjectedVolumeSource
    readonly portworxVolume?: core.PortworxVolumeSource
    readonly scaleIO?: core.ScaleIOVolumeSource
    readonly storageos?: core.StorageOSVolumeSource
    readonly csi?: core.CSIVolumeSource
    readonly ephemeral?: core.EphemeralVolumeSource
    readonly image?: core.ImageVolumeSource
  }
  export interface VolumeDevice {
    readonly name: string
    readonly devicePath: string
  }
  export interface VolumeHealthCondition {
    readonly status: string
    readonly reason: string
    readonly message?: string
  }
  export interface VolumeHealthStatus {
    readonly healthConditions?: readonly core.VolumeHealthCondition[]
    readonly lastTransitionTime?: string
  }
  export interface VolumeMount {
    readonly name: string
    readonly readOnly?: boolean
    readonly recursiveReadOnly?: string
    readonly mountPath: string
    readonly subPath?: string
    readonly mountPropagation?: string
    readonly subPathExpr?: string
    readonly bindMountOptions?: readonly string[]
  }
  export interface VolumeMountStatus {
    readonly name: string
    readonly mountPath: string
    readonly readOnly?: boolean
    readonly recursiveReadOnly?: string
    readonly volumeStatus?: core.VolumeStatus
  }
  export interface VolumeNodeAffinity {
    readonly required?: core.NodeSelector
  }
  export interface VolumeProjection {
    readonly secret?: core.SecretProjection
    readonly downwardAPI?: core.DownwardAPIProjection
    readonly configMap?: core.ConfigMapProjection
    readonly serviceAccountToken?: core.ServiceAccountTokenProjection
    readonly clusterTrustBundle?: core.ClusterTrustBundleProjection
    readonly podCertificate?: core.PodCertificateProjection
  }
  export interface VolumeResourceRequirements {
    readonly limits?: { readonly [key: string]: string }
    readonly requests?: { readonly [key: string]: string }
  }
  export interface VolumeStatus {
    readonly image?: core.ImageVolumeStatus
  }
  export interface VsphereVirtualDiskVolumeSource {
    readonly volumePath: string
    readonly fsType?: string
    readonly storagePolicyName?: string
    readonly storagePolicyID?: string
  }
  export interface WeightedPodAffinityTerm {
    readonly weight: number
    readonly podAffinityTerm: core.PodAffinityTerm
  }
  export interface WindowsSecurityContextOptions {
    readonly gmsaCredentialSpecName?: string
    readonly gmsaCredentialSpec?: string
    readonly runAsUserName?: string
    readonly hostProcess?: boolean
  }
}

export namespace discovery {
  export interface Endpoint {
    readonly addresses: readonly string[]
    readonly conditions?: discovery.EndpointConditions
    readonly hostname?: string
    readonly targetRef?: core.ObjectReference
    readonly deprecatedTopology?: { readonly [key: string]: string }
    readonly nodeName?: string
    readonly zone?: string
    readonly hints?: discovery.EndpointHints
  }
  export interface EndpointConditions {
    readonly ready?: boolean
    readonly serving?: boolean
    readonly terminating?: boolean
  }
  export interface EndpointHints {
    readonly forZones?: readonly discovery.ForZone[]
    readonly forNodes?: readonly discovery.ForNode[]
  }
  export interface EndpointPort {
    readonly name?: string
    readonly protocol?: string
    readonly port?: number
    readonly appProtocol?: string
  }
  export interface EndpointSlice {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly addressType: string
    readonly endpoints?: readonly discovery.Endpoint[]
    readonly ports?: readonly discovery.EndpointPort[]
  }
  export interface ForNode {
    readonly name: string
  }
  export interface ForZone {
    readonly name: string
  }
}

export namespace events {
  export interface Event {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly eventTime: string
    readonly series?: events.EventSeries
    readonly reportingController?: string
    readonly reportingInstance?: string
    readonly action?: string
    readonly reason?: string
    readonly regarding?: core.ObjectReference
    readonly related?: core.ObjectReference
    readonly note?: string
    readonly type?: string
    readonly deprecatedSource?: core.EventSource
    readonly deprecatedFirstTimestamp?: string
    readonly deprecatedLastTimestamp?: string
    readonly deprecatedCount?: number
  }
  export interface EventSeries {
    readonly count: number
    readonly lastObservedTime: string
  }
}

export namespace flowcontrol {
  export interface ExemptPriorityLevelConfiguration {
    readonly nominalConcurrencyShares?: number
    readonly lendablePercent?: number
  }
  export interface FlowDistinguisherMethod {
    readonly type: string
  }
  export interface FlowSchema {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec?: flowcontrol.FlowSchemaSpec
    readonly status?: flowcontrol.FlowSchemaStatus
  }
  export interface FlowSchemaCondition {
    readonly type?: string
    readonly status?: string
    readonly lastTransitionTime?: string
    readonly reason?: string
    readonly message?: string
  }
  export interface FlowSchemaSpec {
    readonly priorityLevelConfiguration: flowcontrol.PriorityLevelConfigurationReference
    readonly matchingPrecedence?: number
    readonly distinguisherMethod?: flowcontrol.FlowDistinguisherMethod
    readonly rules?: readonly flowcontrol.PolicyRulesWithSubjects[]
  }
  export interface FlowSchemaStatus {
    readonly conditions?: readonly flowcontrol.FlowSchemaCondition[]
  }
  export interface GroupSubject {
    readonly name: string
  }
  export interface LimitResponse {
    readonly type: string
    readonly queuing?: flowcontrol.QueuingConfiguration
  }
  export interface LimitedPriorityLevelConfiguration {
    readonly nominalConcurrencyShares?: number
    readonly limitResponse?: flowcontrol.LimitResponse
    readonly lendablePercent?: number
    readonly borrowingLimitPercent?: number
  }
  export interface NonResourcePolicyRule {
    readonly verbs: readonly string[]
    readonly nonResourceURLs: readonly string[]
  }
  export interface PolicyRulesWithSubjects {
    readonly subjects: readonly flowcontrol.Subject[]
    readonly resourceRules?: readonly flowcontrol.ResourcePolicyRule[]
    readonly nonResourceRules?: readonly flowcontrol.NonResourcePolicyRule[]
  }
  export interface PriorityLevelConfiguration {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec?: flowcontrol.PriorityLevelConfigurationSpec
    readonly status?: flowcontrol.PriorityLevelConfigurationStatus
  }
  export interface PriorityLevelConfigurationCondition {
    readonly type?: string
    readonly status?: string
    readonly lastTransitionTime?: string
    readonly reason?: string
    readonly message?: string
  }
  export interface PriorityLevelConfigurationReference {
    readonly name: string
  }
  export interface PriorityLevelConfigurationSpec {
    readonly type: string
    readonly limited?: flowcontrol.LimitedPriorityLevelConfiguration
    readonly exempt?: flowcontrol.ExemptPriorityLevelConfiguration
  }
  export interface PriorityLevelConfigurationStatus {
    readonly conditions?: readonly flowcontrol.PriorityLevelConfigurationCondition[]
  }
  export interface QueuingConfiguration {
    readonly queues?: number
    readonly handSize?: number
    readonly queueLengthLimit?: number
  }
  export interface ResourcePolicyRule {
    readonly verbs: readonly string[]
    readonly apiGroups: readonly string[]
    readonly resources: readonly string[]
    readonly clusterScope?: boolean
    readonly namespaces?: readonly string[]
  }
  export interface ServiceAccountSubject {
    readonly namespace: string
    readonly name: string
  }
  export interface Subject {
    readonly kind: string
    readonly user?: flowcontrol.UserSubject
    readonly group?: flowcontrol.GroupSubject
    readonly serviceAccount?: flowcontrol.ServiceAccountSubject
  }
  export interface UserSubject {
    readonly name: string
  }
}

export namespace lifecycleV1alpha1 {
  export interface Eviction {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec: lifecycleV1alpha1.EvictionSpec
    readonly status?: lifecycleV1alpha1.EvictionStatus
  }
  export interface EvictionPodReference {
    readonly name: string
    readonly uid: string
  }
  export interface EvictionRequest {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec: lifecycleV1alpha1.EvictionRequestSpec
    readonly status?: lifecycleV1alpha1.EvictionRequestStatus
  }
  export interface EvictionRequestPodReference {
    readonly name: string
    readonly uid: string
  }
  export interface EvictionRequestSpec {
    readonly target: lifecycleV1alpha1.EvictionRequestTarget
    readonly requester: string
    readonly intent: string
  }
  export interface EvictionRequestStatus {
    readonly conditions?: readonly meta.Condition[]
    readonly observedGeneration?: number
  }
  export interface EvictionRequestTarget {
    readonly pod?: lifecycleV1alpha1.EvictionRequestPodReference
  }
  export interface EvictionSpec {
    readonly target: lifecycleV1alpha1.EvictionTarget
  }
  export interface EvictionStatus {
    readonly conditions?: readonly meta.Condition[]
    readonly observedGeneration?: number
    readonly requesters?: readonly lifecycleV1alpha1.Requester[]
    readonly targetResponders?: readonly lifecycleV1alpha1.TargetResponder[]
    readonly responders?: readonly lifecycleV1alpha1.ResponderStatus[]
  }
  export interface EvictionTarget {
    readonly pod?: lifecycleV1alpha1.EvictionPodReference
  }
  export interface Requester {
    readonly name: string
    readonly intent: string
  }
  export interface ResponderStatus {
    readonly name: string
    readonly startTime?: string
    readonly heartbeatTime?: string
    readonly expectedCompletionTime?: string
    readonly completionTime?: string
    readonly message?: string
  }
  export interface TargetResponder {
    readonly name: string
    readonly priority: number
    readonly state: string
  }
}

export namespace meta {
  export interface APIResource {
    readonly name: string
    readonly singularName: string
    readonly namespaced: boolean
    readonly group?: string
    readonly version?: string
    readonly kind: string
    readonly verbs: readonly string[]
    readonly shortNames?: readonly string[]
    readonly categories?: readonly string[]
    readonly storageVersionHash?: string
  }
  export interface Condition {
    readonly type: string
    readonly status: string
    readonly observedGeneration?: number
    readonly lastTransitionTime: string
    readonly reason: string
    readonly message: string
  }
  export interface DeleteOptions {
    readonly apiVersion?: string
    readonly kind?: string
    readonly gracePeriodSeconds?: number
    readonly preconditions?: meta.Preconditions
    readonly orphanDependents?: boolean
    readonly propagationPolicy?: string
    readonly dryRun?: readonly string[]
    readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean
  }
  export interface FieldSelectorRequirement {
    readonly key: string
    readonly operator: string
    readonly values?: readonly string[]
  }
  export interface GroupResource {
    readonly group: string
    readonly resource: string
  }
  export interface LabelSelector {
    readonly matchLabels?: { readonly [key: string]: string }
    readonly matchExpressions?: readonly meta.LabelSelectorRequirement[]
  }
  export interface LabelSelectorRequirement {
    readonly key: string
    readonly operator: string
    readonly values?: readonly string[]
  }
  export interface ListMeta {
    readonly selfLink?: string
    readonly resourceVersion?: string
    readonly continue?: string
    readonly remainingItemCount?: number
    readonly shardInfo?: meta.ShardInfo
  }
  export interface ManagedFieldsEntry {
    readonly manager?: string
    readonly operation?: string
    readonly apiVersion?: string
    readonly time?: string
    readonly fieldsType?: string
    readonly fieldsV1?: unknown
    readonly subresource?: string
  }
  export interface ObjectMeta {
    readonly name?: string
    readonly generateName?: string
    readonly namespace?: string
    readonly selfLink?: string
    readonly uid?: string
    readonly resourceVersion?: string
    readonly generation?: number
    readonly creationTimestamp?: string
    readonly deletionTimestamp?: string
    readonly deletionGracePeriodSeconds?: number
    readonly labels?: { readonly [key: string]: string }
    readonly annotations?: { readonly [key: string]: string }
    readonly ownerReferences?: readonly meta.OwnerReference[]
    readonly finalizers?: readonly string[]
    readonly managedFields?: readonly meta.ManagedFieldsEntry[]
  }
  export interface OwnerReference {
    readonly apiVersion: string
    readonly kind: string
    readonly name: string
    readonly uid: string
    readonly controller?: boolean
    readonly blockOwnerDeletion?: boolean
  }
  export interface Preconditions {
    readonly uid?: string
    readonly resourceVersion?: string
  }
  export interface ShardInfo {
    readonly selector: string
  }
  export interface Status {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ListMeta
    readonly status?: string
    readonly message?: string
    readonly reason?: string
    readonly details?: meta.StatusDetails
    readonly code?: number
  }
  export interface StatusCause {
    readonly reason?: string
    readonly message?: string
    readonly field?: string
  }
  export interface StatusDetails {
    readonly name?: string
    readonly group?: string
    readonly kind?: string
    readonly uid?: string
    readonly causes?: readonly meta.StatusCause[]
    readonly retryAfterSeconds?: number
  }
}

export namespace metricsV1beta1 {
  export interface ContainerMetrics {
    readonly name: string
    readonly usage: { readonly [key: string]: string }
  }
  export interface NodeMetrics {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly timestamp: string
    readonly window: string
    readonly usage: { readonly [key: string]: string }
  }
  export interface PodMetrics {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly timestamp: string
    readonly window: string
    readonly containers: readonly metricsV1beta1.ContainerMetrics[]
  }
}

export namespace networking {
  export interface HTTPIngressPath {
    readonly path?: string
    readonly pathType: string
    readonly backend: networking.IngressBackend
  }
  export interface HTTPIngressRuleValue {
    readonly paths: readonly networking.HTTPIngressPath[]
  }
  export interface IPAddress {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec?: networking.IPAddressSpec
  }
  export interface IPAddressSpec {
    readonly parentRef?: networking.ParentReference
  }
  export interface IPBlock {
    readonly cidr: string
    readonly except?: readonly string[]
  }
  export interface Ingress {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec?: networking.IngressSpec
    readonly status?: networking.IngressStatus
  }
  export interface IngressBackend {
    readonly service?: networking.IngressServiceBackend
    readonly resource?: core.TypedLocalObjectReference
  }
  export interface IngressClass {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec?: networking.IngressClassSpec
  }
  export interface IngressClassParametersReference {
    readonly apiGroup?: string
    readonly kind: string
    readonly name: string
    readonly scope?: string
    readonly namespace?: string
  }
  export interface IngressClassSpec {
    readonly controller?: string
    readonly parameters?: networking.IngressClassParametersReference
  }
  export interface IngressLoadBalancerIngress {
    readonly ip?: string
    readonly hostname?: string
    readonly ports?: readonly networking.IngressPortStatus[]
  }
  export interface IngressLoadBalancerStatus {
    readonly ingress?: readonly networking.IngressLoadBalancerIngress[]
  }
  export interface IngressPortStatus {
    readonly port: number
    readonly protocol: string
    readonly error?: string
  }
  export interface IngressRule {
    readonly host?: string
    readonly http?: networking.HTTPIngressRuleValue
  }
  export interface IngressServiceBackend {
    readonly name: string
    readonly port?: networking.ServiceBackendPort
  }
  export interface IngressSpec {
    readonly ingressClassName?: string
    readonly defaultBackend?: networking.IngressBackend
    readonly tls?: readonly networking.IngressTLS[]
    readonly rules?: readonly networking.IngressRule[]
  }
  export interface IngressStatus {
    readonly loadBalancer?: networking.IngressLoadBalancerStatus
  }
  export interface IngressTLS {
    readonly hosts?: readonly string[]
    readonly secretName?: string
  }
  export interface NetworkPolicy {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec?: networking.NetworkPolicySpec
  }
  export interface NetworkPolicyEgressRule {
    readonly ports?: readonly networking.NetworkPolicyPort[]
    readonly to?: readonly networking.NetworkPolicyPeer[]
  }
  export interface NetworkPolicyIngressRule {
    readonly ports?: readonly networking.NetworkPolicyPort[]
    readonly from?: readonly networking.NetworkPolicyPeer[]
  }
  export interface NetworkPolicyPeer {
    readonly podSelector?: meta.LabelSelector
    readonly namespaceSelector?: meta.LabelSelector
    readonly ipBlock?: networking.IPBlock
  }
  export interface NetworkPolicyPort {
    readonly protocol?: string
    readonly port?: number | string
    readonly endPort?: number
  }
  export interface NetworkPolicySpec {
    readonly podSelector?: meta.LabelSelector
    readonly ingress?: readonly networking.NetworkPolicyIngressRule[]
    readonly egress?: readonly networking.NetworkPolicyEgressRule[]
    readonly policyTypes?: readonly string[]
  }
  export interface ParentReference {
    readonly group?: string
    readonly resource?: string
    readonly namespace?: string
    readonly name?: string
  }
  export interface ServiceBackendPort {
    readonly name?: string
    readonly number?: number
  }
  export interface ServiceCIDR {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec?: networking.ServiceCIDRSpec
    readonly status?: networking.ServiceCIDRStatus
  }
  export interface ServiceCIDRSpec {
    readonly cidrs?: readonly string[]
  }
  export interface ServiceCIDRStatus {
    readonly conditions?: readonly meta.Condition[]
  }
}

export namespace node {
  export interface Overhead {
    readonly podFixed?: { readonly [key: string]: string }
  }
  export interface RuntimeClass {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly handler: string
    readonly overhead?: node.Overhead
    readonly scheduling?: node.Scheduling
  }
  export interface Scheduling {
    readonly nodeSelector?: { readonly [key: string]: string }
    readonly tolerations?: readonly core.Toleration[]
  }
}

export namespace policy {
  export interface Eviction {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly deleteOptions?: meta.DeleteOptions
  }
  export interface PodDisruptionBudget {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec?: policy.PodDisruptionBudgetSpec
    readonly status?: policy.PodDisruptionBudgetStatus
  }
  export interface PodDisruptionBudgetSpec {
    readonly minAvailable?: number | string
    readonly selector?: meta.LabelSelector
    readonly maxUnavailable?: number | string
    readonly unhealthyPodEvictionPolicy?: string
  }
  export interface PodDisruptionBudgetStatus {
    readonly observedGeneration?: number
    readonly disruptedPods?: { readonly [key: string]: string }
    readonly disruptionsAllowed?: number
    readonly currentHealthy?: number
    readonly desiredHealthy?: number
    readonly expectedPods?: number
    readonly conditions?: readonly meta.Condition[]
  }
}

export namespace rbac {
  export interface AggregationRule {
    readonly clusterRoleSelectors?: readonly meta.LabelSelector[]
  }
  export interface ClusterRole {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly rules?: readonly rbac.PolicyRule[]
    readonly aggregationRule?: rbac.AggregationRule
  }
  export interface ClusterRoleBinding {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly subjects?: readonly rbac.Subject[]
    readonly roleRef: rbac.RoleRef
  }
  export interface PolicyRule {
    readonly verbs: readonly string[]
    readonly apiGroups?: readonly string[]
    readonly resources?: readonly string[]
    readonly resourceNames?: readonly string[]
    readonly nonResourceURLs?: readonly string[]
  }
  export interface Role {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly rules?: readonly rbac.PolicyRule[]
  }
  export interface RoleBinding {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly subjects?: readonly rbac.Subject[]
    readonly roleRef: rbac.RoleRef
  }
  export interface RoleRef {
    readonly apiGroup?: string
    readonly kind: string
    readonly name: string
  }
  export interface Subject {
    readonly kind: string
    readonly apiGroup?: string
    readonly name: string
    readonly namespace?: string
  }
}

export namespace resource {
  export interface AllocatedDeviceStatus {
    readonly driver: string
    readonly pool: string
    readonly device: string
    readonly shareID?: string
    readonly conditions?: readonly meta.Condition[]
    readonly data?: unknown
    readonly networkData?: resource.NetworkDeviceData
  }
  export interface AllocationResult {
    readonly devices?: resource.DeviceAllocationResult
    readonly nodeSelector?: core.NodeSelector
    readonly allocationTimestamp?: string
  }
  export interface CELDeviceSelector {
    readonly expression: string
  }
  export interface CapacityRequestPolicy {
    readonly default?: string
    readonly validValues?: readonly string[]
    readonly validRange?: resource.CapacityRequestPolicyRange
  }
  export interface CapacityRequestPolicyRange {
    readonly min?: string
    readonly max?: string
    readonly step?: string
  }
  export interface CapacityRequirements {
    readonly requests?: { readonly [key: string]: string }
  }
  export interface Counter {
    readonly value: string
  }
  export interface CounterSet {
    readonly name: string
    readonly counters?: { readonly [key: string]: resource.Counter }
  }
  export interface Device {
    readonly name: string
    readonly attributes?: { readonly [key: string]: resource.DeviceAttribute }
    readonly capacity?: { readonly [key: string]: resource.DeviceCapacity }
    readonly consumesCounters?: readonly resource.DeviceCounterConsumption[]
    readonly nodeName?: string
    readonly nodeSelector?: core.NodeSelector
    readonly allNodes?: boolean
    readonly taints?: readonly resource.DeviceTaint[]
    readonly bindsToNode?: boolean
    readonly bindingConditions?: readonly string[]
    readonly bindingFailureConditions?: readonly string[]
    readonly allowMultipleAllocations?: boolean
    readonly nodeAllocatableResources?: { readonly [key: string]: resource.NodeAllocatableResource }
  }
  export interface DeviceAllocationConfiguration {
    readonly source: string
    readonly requests?: readonly string[]
    readonly opaque?: resource.OpaqueDeviceConfiguration
  }
  export interface DeviceAllocationResult {
    readonly results?: readonly resource.DeviceRequestAllocationResult[]
    readonly config?: readonly resource.DeviceAllocationConfiguration[]
  }
  export interface DeviceAttribute {
    readonly int?: number
    readonly bool?: boolean
    readonly string?: string
    readonly version?: string
    readonly ints?: readonly number[]
    readonly bools?: readonly boolean[]
    readonly strings?: readonly string[]
    readonly versions?: readonly string[]
  }
  export interface DeviceCapacity {
    readonly value: string
    readonly requestPolicy?: resource.CapacityRequestPolicy
  }
  export interface DeviceClaim {
    readonly requests?: readonly resource.DeviceRequest[]
    readonly constraints?: readonly resource.DeviceConstraint[]
    readonly config?: readonly resource.DeviceClaimConfiguration[]
  }
  export interface DeviceClaimConfiguration {
    readonly requests?: readonly string[]
    readonly opaque?: resource.OpaqueDeviceConfiguration
  }
  export interface DeviceClass {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec?: resource.DeviceClassSpec
  }
  export interface DeviceClassConfiguration {
    readonly opaque?: resource.OpaqueDeviceConfiguration
  }
  export interface DeviceClassSpec {
    readonly selectors?: readonly resource.DeviceSelector[]
    readonly config?: readonly resource.DeviceClassConfiguration[]
    readonly extendedResourceName?: string
  }
  export interface DeviceConstraint {
    readonly requests?: readonly string[]
    readonly matchAttribute?: string
    readonly distinctAttribute?: string
  }
  export interface DeviceCounterConsumption {
    readonly counterSet: string
    readonly counters?: { readonly [key: string]: resource.Counter }
    readonly compatibilityGroups?: readonly string[]
  }
  export interface DeviceDerivedAttribute {
    readonly name: string
    readonly expression: string
  }
  export interface DeviceRequest {
    readonly name: string
    readonly exactly?: resource.ExactDeviceRequest
    readonly firstAvailable?: readonly resource.DeviceSubRequest[]
  }
  export interface DeviceRequestAllocationResult {
    readonly request: string
    readonly driver: string
    readonly pool: string
    readonly device: string
    readonly adminAccess?: boolean
    readonly tolerations?: readonly resource.DeviceToleration[]
    readonly bindingConditions?: readonly string[]
    readonly bindingFailureConditions?: readonly string[]
    readonly shareID?: string
    readonly consumedCapacity?: { readonly [key: string]: string }
    readonly skipNodeOperations?: readonly string[]
  }
  export interface DeviceSelector {
    readonly cel?: resource.CELDeviceSelector
  }
  export interface DeviceSubRequest {
    readonly name: string
    readonly deviceClassName: string
    readonly selectors?: readonly resource.DeviceSelector[]
    readonly allocationMode?: string
    readonly count?: number
    readonly tolerations?: readonly resource.DeviceToleration[]
    readonly capacity?: resource.CapacityRequirements
    readonly derivedAttributes?: readonly resource.DeviceDerivedAttribute[]
  }
  export interface DeviceTaint {
    readonly key: string
    readonly value?: string
    readonly effect: string
    readonly timeAdded?: string
  }
  export interface DeviceTaintRule {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec: resource.DeviceTaintRuleSpec
    readonly status?: resource.DeviceTaintRuleStatus
  }
  export interface DeviceTaintRuleSpec {
    readonly deviceSelector?: resource.DeviceTaintSelector
    readonly taint?: resource.DeviceTaint
  }
  export interface DeviceTaintRuleStatus {
    readonly conditions?: readonly meta.Condition[]
  }
  export interface DeviceTaintSelector {
    readonly driver?: string
    readonly pool?: string
    readonly device?: string
  }
  export interface DeviceToleration {
    readonly key?: string
    readonly operator?: string
    readonly value?: string
    readonly effect?: string
    readonly tolerationSeconds?: number
  }
  export interface ExactDeviceRequest {
    readonly deviceClassName: string
    readonly selectors?: readonly resource.DeviceSelector[]
    readonly allocationMode?: string
    readonly count?: number
    readonly adminAccess?: boolean
    readonly tolerations?: readonly resource.DeviceToleration[]
    readonly capacity?: resource.CapacityRequirements
    readonly derivedAttributes?: readonly resource.DeviceDerivedAttribute[]
  }
  export interface NetworkDeviceData {
    readonly interfaceName?: string
    readonly ips?: readonly string[]
    readonly hardwareAddress?: string
  }
  export interface NodeAllocatableMapping {
    readonly capacityKey?: string
    readonly capacityMultiplier?: string
    readonly deviceMultiplier?: string
  }
  export interface NodeAllocatableOverhead {
    readonly perPod?: string
    readonly perContainer?: string
  }
  export interface NodeAllocatableResource {
    readonly mapping?: resource.NodeAllocatableMapping
    readonly overhead?: resource.NodeAllocatableOverhead
  }
  export interface OpaqueDeviceConfiguration {
    readonly driver: string
    readonly parameters: unknown
  }
  export interface ResourceClaim {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec?: resource.ResourceClaimSpec
    readonly status?: resource.ResourceClaimStatus
  }
  export interface ResourceClaimConsumerReference {
    readonly apiGroup?: string
    readonly resource: string
    readonly name: string
    readonly uid: string
  }
  export interface ResourceClaimSpec {
    readonly devices?: resource.DeviceClaim
  }
  export interface ResourceClaimStatus {
    readonly allocation?: resource.AllocationResult
    readonly reservedFor?: readonly resource.ResourceClaimConsumerReference[]
    readonly devices?: readonly resource.AllocatedDeviceStatus[]
  }
  export interface ResourceClaimTemplate {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec?: resource.ResourceClaimTemplateSpec
  }
  export interface ResourceClaimTemplateSpec {
    readonly metadata?: meta.ObjectMeta
    readonly spec?: resource.ResourceClaimSpec
  }
  export interface ResourcePool {
    readonly name: string
    readonly generation: number
    readonly resourceSliceCount: number
  }
  export interface ResourceSlice {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec: resource.ResourceSliceSpec
  }
  export interface ResourceSliceSpec {
    readonly driver: string
    readonly pool: resource.ResourcePool
    readonly nodeName?: string
    readonly nodeSelector?: core.NodeSelector
    readonly allNodes?: boolean
    readonly devices?: readonly resource.Device[]
    readonly perDeviceNodeSelection?: boolean
    readonly sharedCounters?: readonly resource.CounterSet[]
    readonly partitionTypeAttribute?: string
    readonly skipNodeOperations?: readonly string[]
  }
}

export namespace resourceV1alpha3 {
  export interface PartitionTypeStatus {
    readonly attribute?: string
    readonly type?: string
    readonly total?: number
    readonly allocatable?: number
  }
  export interface PoolStatus {
    readonly driver?: string
    readonly poolName?: string
    readonly generation: number
    readonly resourceSliceCount?: number
    readonly totalDevices?: number
    readonly allocatedDevices?: number
    readonly availableDevices?: number
    readonly unavailableDevices?: number
    readonly nodeName?: string
    readonly validationError?: string
    readonly partitionSummary?: readonly resourceV1alpha3.PartitionTypeStatus[]
    readonly shareableSummary?: resourceV1alpha3.ShareableSummaryStatus
  }
  export interface ResourcePoolStatusRequest {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec: resourceV1alpha3.ResourcePoolStatusRequestSpec
    readonly status?: resourceV1alpha3.ResourcePoolStatusRequestStatus
  }
  export interface ResourcePoolStatusRequestSpec {
    readonly driver: string
    readonly poolName?: string
    readonly limit?: number
    readonly defaultPartitionTypeAttribute?: string
  }
  export interface ResourcePoolStatusRequestStatus {
    readonly poolCount?: number
    readonly pools?: readonly resourceV1alpha3.PoolStatus[]
    readonly conditions?: readonly meta.Condition[]
  }
  export interface ShareableCapacityStatus {
    readonly name?: string
    readonly total?: string
    readonly consumed?: string
    readonly available?: string
  }
  export interface ShareableSummaryStatus {
    readonly fullyAvailableDevices?: number
    readonly partiallyAvailableDevices?: number
    readonly capacity?: readonly resourceV1alpha3.ShareableCapacityStatus[]
  }
}

export namespace scheduling {
  export interface PriorityClass {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly value?: number
    readonly globalDefault?: boolean
    readonly description?: string
    readonly preemptionPolicy?: string
  }
}

export namespace schedulingV1alpha3 {
  export interface AllCompositeDisruptionMode {
  }
  export interface CompositeBasicSchedulingPolicy {
  }
  export interface CompositeDisruptionMode {
    readonly single?: schedulingV1alpha3.SingleCompositeDisruptionMode
    readonly all?: schedulingV1alpha3.AllCompositeDisruptionMode
  }
  export interface CompositeGangSchedulingPolicy {
    readonly minGroupCount: number
  }
  export interface CompositePodGroup {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec: schedulingV1alpha3.CompositePodGroupSpec
    readonly status?: schedulingV1alpha3.CompositePodGroupStatus
  }
  export interface CompositePodGroupSchedulingConstraints {
    readonly topology?: readonly schedulingV1alpha3.TopologyConstraint[]
  }
  export interface CompositePodGroupSchedulingPolicy {
    readonly basic?: schedulingV1alpha3.CompositeBasicSchedulingPolicy
    readonly gang?: schedulingV1alpha3.CompositeGangSchedulingPolicy
  }
  export interface CompositePodGroupSpec {
    readonly parentCompositePodGroupName?: string
    readonly workloadRef: schedulingV1alpha3.WorkloadReference
    readonly schedulingPolicy: schedulingV1alpha3.CompositePodGroupSchedulingPolicy
    readonly schedulingConstraints?: schedulingV1alpha3.CompositePodGroupSchedulingConstraints
    readonly disruptionMode?: schedulingV1alpha3.CompositeDisruptionMode
    readonly priorityClassName?: string
    readonly priority?: number
    readonly preemptionPolicy?: string
  }
  export interface CompositePodGroupStatus {
    readonly conditions?: readonly meta.Condition[]
  }
  export interface SingleCompositeDisruptionMode {
  }
  export interface TopologyConstraint {
    readonly key: string
  }
  export interface WorkloadPodGroupAllDisruptionMode {
  }
  export interface WorkloadPodGroupBasicSchedulingPolicy {
  }
  export interface WorkloadPodGroupDisruptionMode {
    readonly single?: schedulingV1alpha3.WorkloadPodGroupSingleDisruptionMode
    readonly all?: schedulingV1alpha3.WorkloadPodGroupAllDisruptionMode
  }
  export interface WorkloadPodGroupGangSchedulingPolicy {
    readonly minCount?: number
  }
  export interface WorkloadPodGroupResourceClaim {
    readonly name: string
    readonly resourceClaimName?: string
    readonly resourceClaimTemplateName?: string
  }
  export interface WorkloadPodGroupSchedulingConstraints {
    readonly topology?: readonly schedulingV1alpha3.TopologyConstraint[]
  }
  export interface WorkloadPodGroupSchedulingPolicy {
    readonly basic?: schedulingV1alpha3.WorkloadPodGroupBasicSchedulingPolicy
    readonly gang?: schedulingV1alpha3.WorkloadPodGroupGangSchedulingPolicy
  }
  export interface WorkloadPodGroupSingleDisruptionMode {
  }
  export interface WorkloadReference {
    readonly workloadName: string
    readonly templateName: string
  }
}

export namespace schedulingV1beta1 {
  export interface AllCompositeDisruptionMode {
  }
  export interface AllDisruptionMode {
  }
  export interface BasicSchedulingPolicy {
  }
  export interface CompositeBasicSchedulingPolicy {
  }
  export interface CompositeDisruptionMode {
    readonly single?: schedulingV1beta1.SingleCompositeDisruptionMode
    readonly all?: schedulingV1beta1.AllCompositeDisruptionMode
  }
  export interface CompositeGangSchedulingPolicy {
    readonly minGroupCount: number
  }
  export interface CompositePodGroupSchedulingConstraints {
    readonly topology?: readonly schedulingV1beta1.TopologyConstraint[]
  }
  export interface CompositePodGroupSchedulingPolicy {
    readonly basic?: schedulingV1beta1.CompositeBasicSchedulingPolicy
    readonly gang?: schedulingV1beta1.CompositeGangSchedulingPolicy
  }
  export interface CompositePodGroupTemplate {
    readonly name: string
    readonly schedulingPolicy: schedulingV1beta1.CompositePodGroupSchedulingPolicy
    readonly schedulingConstraints?: schedulingV1beta1.CompositePodGroupSchedulingConstraints
    readonly disruptionMode?: schedulingV1beta1.CompositeDisruptionMode
    readonly priorityClassName?: string
    readonly priority?: number
    readonly preemptionPolicy?: string
    readonly podGroupTemplates?: readonly schedulingV1beta1.PodGroupTemplate[]
    readonly compositePodGroupTemplates?: readonly schedulingV1beta1.CompositePodGroupTemplate[]
  }
  export interface DisruptionMode {
    readonly single?: schedulingV1beta1.SingleDisruptionMode
    readonly all?: schedulingV1beta1.AllDisruptionMode
  }
  export interface GangSchedulingPolicy {
    readonly minCount: number
  }
  export interface PodGroup {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec: schedulingV1beta1.PodGroupSpec
    readonly status?: schedulingV1beta1.PodGroupStatus
  }
  export interface PodGroupResourceClaim {
    readonly name: string
    readonly resourceClaimName?: string
    readonly resourceClaimTemplateName?: string
  }
  export interface PodGroupResourceClaimStatus {
    readonly name: string
    readonly resourceClaimName?: string
  }
  export interface PodGroupSchedulingConstraints {
    readonly topology?: readonly schedulingV1beta1.TopologyConstraint[]
  }
  export interface PodGroupSchedulingPolicy {
    readonly basic?: schedulingV1beta1.BasicSchedulingPolicy
    readonly gang?: schedulingV1beta1.GangSchedulingPolicy
  }
  export interface PodGroupSpec {
    readonly parentCompositePodGroupName?: string
    readonly workloadRef?: schedulingV1beta1.WorkloadReference
    readonly schedulingPolicy: schedulingV1beta1.PodGroupSchedulingPolicy
    readonly schedulingConstraints?: schedulingV1beta1.PodGroupSchedulingConstraints
    readonly resourceClaims?: readonly schedulingV1beta1.PodGroupResourceClaim[]
    readonly disruptionMode?: schedulingV1beta1.DisruptionMode
    readonly priorityClassName?: string
    readonly priority?: number
    readonly preemptionPolicy?: string
  }
  export interface PodGroupStatus {
    readonly conditions?: readonly meta.Condition[]
    readonly resourceClaimStatuses?: readonly schedulingV1beta1.PodGroupResourceClaimStatus[]
  }
  export interface PodGroupTemplate {
    readonly name: string
    readonly schedulingPolicy: schedulingV1beta1.PodGroupSchedulingPolicy
    readonly schedulingConstraints?: schedulingV1beta1.PodGroupSchedulingConstraints
    readonly resourceClaims?: readonly schedulingV1beta1.PodGroupResourceClaim[]
    readonly disruptionMode?: schedulingV1beta1.DisruptionMode
    readonly priorityClassName?: string
    readonly priority?: number
    readonly preemptionPolicy?: string
  }
  export interface SingleCompositeDisruptionMode {
  }
  export interface SingleDisruptionMode {
  }
  export interface TopologyConstraint {
    readonly key: string
  }
  export interface TypedLocalObjectReference {
    readonly apiGroup?: string
    readonly kind: string
    readonly name: string
  }
  export interface Workload {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec: schedulingV1beta1.WorkloadSpec
  }
  export interface WorkloadReference {
    readonly workloadName: string
    readonly templateName: string
  }
  export interface WorkloadSpec {
    readonly controllerRef?: schedulingV1beta1.TypedLocalObjectReference
    readonly podGroupTemplates?: readonly schedulingV1beta1.PodGroupTemplate[]
    readonly compositePodGroupTemplates?: readonly schedulingV1beta1.CompositePodGroupTemplate[]
  }
}

export namespace storage {
  export interface CSIDriver {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec: storage.CSIDriverSpec
  }
  export interface CSIDriverSpec {
    readonly attachRequired?: boolean
    readonly podInfoOnMount?: boolean
    readonly volumeLifecycleModes?: readonly string[]
    readonly storageCapacity?: boolean
    readonly fsGroupPolicy?: string
    readonly tokenRequests?: readonly storage.TokenRequest[]
    readonly requiresRepublish?: boolean
    readonly seLinuxMount?: boolean
    readonly nodeAllocatableUpdatePeriodSeconds?: number
    readonly serviceAccountTokenInSecrets?: boolean
    readonly preventPodSchedulingIfMissing?: boolean
  }
  export interface CSINode {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec: storage.CSINodeSpec
    readonly status?: storage.CSINodeStatus
  }
  export interface CSINodeDriver {
    readonly name: string
    readonly nodeID: string
    readonly topologyKeys?: readonly string[]
    readonly allocatable?: storage.VolumeNodeResources
  }
  export interface CSINodeSpec {
    readonly drivers: readonly storage.CSINodeDriver[]
  }
  export interface CSINodeStatus {
    readonly storageHealth?: readonly storage.StorageHealth[]
  }
  export interface CSIStorageCapacity {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly nodeTopology?: meta.LabelSelector
    readonly storageClassName: string
    readonly capacity?: string
    readonly maximumVolumeSize?: string
  }
  export interface StorageClass {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly provisioner: string
    readonly parameters?: { readonly [key: string]: string }
    readonly reclaimPolicy?: string
    readonly mountOptions?: readonly string[]
    readonly allowVolumeExpansion?: boolean
    readonly volumeBindingMode?: string
    readonly allowedTopologies?: readonly core.TopologySelectorTerm[]
  }
  export interface StorageHealth {
    readonly name: string
    readonly healthConditions?: readonly storage.StorageHealthCondition[]
  }
  export interface StorageHealthCondition {
    readonly status: string
    readonly reason: string
    readonly message?: string
    readonly accessMode?: string
    readonly volumeMode?: string
    readonly lastTransitionTime?: string
  }
  export interface TokenRequest {
    readonly audience: string
    readonly expirationSeconds?: number
  }
  export interface VolumeAttachment {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec: storage.VolumeAttachmentSpec
    readonly status?: storage.VolumeAttachmentStatus
  }
  export interface VolumeAttachmentSource {
    readonly persistentVolumeName?: string
    readonly inlineVolumeSpec?: core.PersistentVolumeSpec
  }
  export interface VolumeAttachmentSpec {
    readonly attacher: string
    readonly source: storage.VolumeAttachmentSource
    readonly nodeName: string
  }
  export interface VolumeAttachmentStatus {
    readonly attached: boolean
    readonly attachmentMetadata?: { readonly [key: string]: string }
    readonly attachError?: storage.VolumeError
    readonly detachError?: storage.VolumeError
  }
  export interface VolumeAttributesClass {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly driverName: string
    readonly parameters?: { readonly [key: string]: string }
  }
  export interface VolumeError {
    readonly time?: string
    readonly message?: string
    readonly errorCode?: number
  }
  export interface VolumeNodeResources {
    readonly count?: number
  }
}

export namespace storagemigration {
  export interface StorageVersionMigration {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: meta.ObjectMeta
    readonly spec?: storagemigration.StorageVersionMigrationSpec
    readonly status?: storagemigration.StorageVersionMigrationStatus
  }
  export interface StorageVersionMigrationSpec {
    readonly resource: meta.GroupResource
  }
  export interface StorageVersionMigrationStatus {
    readonly conditions?: readonly meta.Condition[]
    readonly resourceVersion?: string
  }
}
