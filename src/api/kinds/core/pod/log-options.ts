// Kubernetes: pkg/apis/core/validation.ValidatePodLogOptions
// Kubernetes: pkg/apis/core/v1.SetDefaults_PodLogOptions
/** Which part of which log of a pod is read, as `kubectl logs` asks for it. */
export interface PodLogOptions {
  readonly container: string
  readonly follow: boolean
  readonly previous: boolean
  readonly timestamps: boolean
  readonly sinceSeconds?: number | undefined
  readonly sinceTime?: string | undefined
  readonly tailLines?: number | undefined
}
