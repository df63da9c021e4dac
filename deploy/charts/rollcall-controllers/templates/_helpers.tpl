{{- define "rollcall-controllers.name" -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "rollcall-controllers.selector" -}}
app.kubernetes.io/name: rollcall-controllers
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "rollcall-controllers.labels" -}}
{{ include "rollcall-controllers.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}
