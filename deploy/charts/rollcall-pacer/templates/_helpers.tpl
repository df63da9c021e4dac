{{- define "rollcall-pacer.name" -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "rollcall-pacer.selector" -}}
app.kubernetes.io/name: rollcall-pacer
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "rollcall-pacer.labels" -}}
{{ include "rollcall-pacer.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- define "rollcall-pacer.policyVersion" -}}
{{- if .Capabilities.APIVersions.Has "admissionregistration.k8s.io/v1/MutatingAdmissionPolicy" -}}
v1
{{- else if .Capabilities.APIVersions.Has "admissionregistration.k8s.io/v1beta1/MutatingAdmissionPolicy" -}}
v1beta1
{{- end -}}
{{- end -}}

{{- define "rollcall-pacer.admission" -}}
{{- if ne .Values.admission.mode "auto" -}}
{{- .Values.admission.mode -}}
{{- else if include "rollcall-pacer.policyVersion" . -}}
policy
{{- else -}}
webhook
{{- end -}}
{{- end -}}

{{/* Whether the pacer serves a webhook. */}}
{{- define "rollcall-pacer.serves" -}}
{{- if or .Values.evictions.enabled (eq (include "rollcall-pacer.admission" .) "webhook") -}}
true
{{- end -}}
{{- end -}}

{{/* A pod with a node cannot have a gate, and nothing would release pods of other controllers later than at once. */}}
{{- define "rollcall-pacer.matchConditions" -}}
- name: is-controlled-by-a-replicaset-or-job
  expression: "has(object.metadata.ownerReferences) && object.metadata.ownerReferences.exists(o, has(o.controller) && o.controller && (o.kind == 'ReplicaSet' && o.apiVersion.startsWith('apps/') || o.kind == 'Job' && o.apiVersion.startsWith('batch/')))"
- name: has-no-node
  expression: "!has(object.spec.nodeName) || object.spec.nodeName == ''"
{{- end -}}

{{- define "rollcall-pacer.hook" -}}
helm.sh/hook: post-delete
helm.sh/hook-weight: {{ last . | quote }}
helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
{{- end -}}
