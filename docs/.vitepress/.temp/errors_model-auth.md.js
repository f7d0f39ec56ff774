import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"model-auth","description":"","frontmatter":{},"headers":[],"relativePath":"errors/model-auth.md","filePath":"errors/model-auth.md"}');
const _sfc_main = { name: "errors/model-auth.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="model-auth" tabindex="-1"><code>model-auth</code> <a class="header-anchor" href="#model-auth" aria-label="Permalink to &quot;\`model-auth\`&quot;">​</a></h1><p><strong>Cause.</strong> The provider rejected the API key, or the key is missing.</p><p><strong>What to do.</strong> Check the key, and that it belongs to the base URL. A key of the environment is sent only to the provider&#39;s own address.</p><h2 id="fields-of-info" tabindex="-1">Fields of <code>info</code> <a class="header-anchor" href="#fields-of-info" aria-label="Permalink to &quot;Fields of \`info\`&quot;">​</a></h2><div class="table" tabindex="0" role="region" aria-label="Table 1"><table><thead><tr><th>field</th><th>type</th></tr></thead><tbody><tr><td><code>provider</code></td><td>string</td></tr><tr><td><code>model?</code></td><td>string</td></tr><tr><td><code>status?</code></td><td>integer</td></tr><tr><td><code>requestId?</code></td><td>string</td></tr><tr><td><code>detail</code></td><td>string</td></tr></tbody></table></div><p><a href="./">All error codes</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("errors/model-auth.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const modelAuth = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  modelAuth as default
};
