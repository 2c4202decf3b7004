// afluente-api.ts — los tipos de lo que abre una clave de Afluente, hechos de /api/v1/openapi.json.
export interface paths {
  "/api/v1/payments/": {
    /**
     * Pagos; cada quien ve los suyos
     * @description Roles: Administrador, Emisor, Afiliado. También con una clave en X-API-Key.
     */
    get: operations["payments.list"];
  };
  "/api/v1/payments/{id}/": {
    /**
     * Un pago
     * @description Roles: Administrador, Emisor, Afiliado. También con una clave en X-API-Key.
     */
    get: operations["payments.get"];
  };
  "/api/v1/payments/{id}/entries/": {
    /**
     * Las comisiones que respaldan un pago
     * @description Roles: Administrador, Emisor, Afiliado. También con una clave en X-API-Key.
     */
    get: operations["payments.entries"];
  };
  "/api/v1/payments/{id}/statement/": {
    /**
     * El estado de un pago: las partes con su RFC y todas sus comisiones; con más de 10,000, 409
     * @description Roles: Administrador, Emisor, Afiliado. También con una clave en X-API-Key.
     */
    get: operations["payments.statement"];
  };
  "/api/v1/adjustments/": {
    /**
     * Bonos y ajustes, los más recientes primero; el emisor ve los suyos
     * @description Roles: Administrador, Emisor. También con una clave en X-API-Key.
     */
    get: operations["adjustments.list"];
  };
  "/api/v1/commission-entries/": {
    /**
     * Comisiones propias, la más reciente primero: qué las generó, su estado y su pago
     * @description Roles: Afiliado. También con una clave en X-API-Key.
     */
    get: operations["commissionEntries.list"];
  };
  "/api/v1/commission-entries/waiting/": {
    /**
     * Comisiones que esperan aprobación, la más antigua primero; el emisor ve las suyas
     * @description Roles: Administrador, Emisor. También con una clave en X-API-Key.
     */
    get: operations["commissionEntries.waiting"];
  };
  "/api/v1/leads/": {
    /**
     * Leads, una página; cada quien ve los suyos
     * @description Roles: Administrador, Emisor, Afiliado. También con una clave en X-API-Key.
     */
    get: operations["leads.list"];
  };
  "/api/v1/leads/{id}/": {
    /**
     * Un lead con sus eventos, el más reciente primero
     * @description Roles: Administrador, Emisor, Afiliado. También con una clave en X-API-Key.
     */
    get: operations["leads.get"];
  };
  "/api/v1/leads/{id}/entries/": {
    /**
     * Las comisiones que un lead generó, la más antigua primero
     * @description Roles: Administrador, Emisor, Afiliado. También con una clave en X-API-Key.
     */
    get: operations["leads.entries"];
  };
  "/api/v1/reject-reasons/": {
    /**
     * Los motivos de rechazo, una lista cerrada: sus códigos no cambian
     * @description Roles: Administrador, Emisor, Afiliado. También con una clave en X-API-Key.
     */
    get: operations["rulings.reasons"];
  };
  "/api/v1/figures/reports/performance/": {
    /**
     * Leads, conversiones y comisiones por día, producto y socio, con el periodo anterior
     * @description Roles: Administrador, Emisor, Afiliado. También con una clave en X-API-Key.
     */
    get: operations["reports.performance"];
  };
  "/api/v1/figures/reports/funnel/{id}/": {
    /**
     * Hasta dónde llegan los leads de un producto y cuántos se aprueban según el día del clic
     * @description Roles: Administrador, Emisor, Afiliado. También con una clave en X-API-Key.
     */
    get: operations["reports.funnel"];
  };
  "/api/v1/figures/reports/commissions/": {
    /**
     * Comisiones por estado, día, producto y socio
     * @description Roles: Administrador, Emisor, Afiliado. También con una clave en X-API-Key.
     */
    get: operations["reports.commissions"];
  };
  "/api/v1/figures/reports/network/": {
    /**
     * Toda la red: el rendimiento, las comisiones y cada pareja de emisor y afiliado
     * @description Roles: Administrador. También con una clave en X-API-Key.
     */
    get: operations["reports.network"];
  };
  "/api/v1/figures/reports/tables/{table}/": {
    /**
     * Una tabla de los reportes como archivo CSV
     * @description Roles: Administrador, Emisor, Afiliado. También con una clave en X-API-Key.
     */
    get: operations["reports.table"];
  };
  "/api/v1/results/": {
    /**
     * Leads, aprobados, rechazados y lo ganado por UTM o por sub1 a sub10, según el día del clic
     * @description Roles: Administrador, Emisor, Afiliado. También con una clave en X-API-Key.
     */
    get: operations["results.list"];
  };
  "/api/v1/exports/leads/": {
    /**
     * Leads, como archivo CSV o de Excel; las mismas filas que su lista
     * @description Roles: Administrador, Emisor, Afiliado. También con una clave en X-API-Key.
     */
    get: operations["exports.leads"];
  };
  "/api/v1/exports/payments/": {
    /**
     * Pagos, como archivo CSV o de Excel; las mismas filas que su lista
     * @description Roles: Administrador, Emisor, Afiliado. También con una clave en X-API-Key.
     */
    get: operations["exports.payments"];
  };
  "/api/v1/exports/payments/{id}/entries/": {
    /**
     * Comisiones que respaldan un pago, como archivo CSV o de Excel; las mismas filas que su lista
     * @description Roles: Administrador, Emisor, Afiliado. También con una clave en X-API-Key.
     */
    get: operations["exports.paymentEntries"];
  };
  "/api/v1/exports/commission-entries/": {
    /**
     * Comisiones propias, como archivo CSV o de Excel; las mismas filas que su lista
     * @description Roles: Afiliado. También con una clave en X-API-Key.
     */
    get: operations["exports.commissionEntries"];
  };
  "/api/v1/exports/relationships/": {
    /**
     * Relaciones, como archivo CSV o de Excel; las mismas filas que su lista
     * @description Roles: Administrador, Emisor, Afiliado. También con una clave en X-API-Key.
     */
    get: operations["exports.relationships"];
  };
  "/api/v1/exports/products/": {
    /**
     * Productos, como archivo CSV o de Excel; las mismas filas que su lista
     * @description Roles: Administrador, Emisor, Afiliado. También con una clave en X-API-Key.
     */
    get: operations["exports.products"];
  };
  "/api/v1/exports/event-steps/": {
    /**
     * Pasos de los flujos, como archivo CSV o de Excel; las mismas filas que su lista
     * @description Roles: Administrador, Emisor, Afiliado. También con una clave en X-API-Key.
     */
    get: operations["exports.eventSteps"];
  };
  "/api/v1/exports/commissions/": {
    /**
     * Comisiones configuradas, como archivo CSV o de Excel; las mismas filas que su lista
     * @description Roles: Administrador, Emisor. También con una clave en X-API-Key.
     */
    get: operations["exports.commissions"];
  };
  "/api/v1/exports/imports/{id}/rows/": {
    /**
     * Renglones de una conciliación con su veredicto, como archivo CSV o de Excel; las mismas filas que su lista
     * @description Roles: Administrador, Emisor. También con una clave en X-API-Key.
     */
    get: operations["exports.importRows"];
  };
  "/api/v1/exports/results/": {
    /**
     * Resultados, como archivo CSV o de Excel; las mismas filas que su lista
     * @description Roles: Administrador, Emisor, Afiliado. También con una clave en X-API-Key.
     */
    get: operations["exports.results"];
  };
  "/api/v1/events/lead-events/": {
    /**
     * Eventos guardados, para conciliar: los de un lead o los que siguen a un cursor
     * @description Con la clave del emisor en X-API-Key.
     */
    get: operations["tracking.lookUp"];
    /**
     * Registrar un evento de un lead (servidor a servidor)
     * @description Con la clave del emisor en X-API-Key. El cuerpo, de hasta 64 KB. Un campo opcional que no se entiende se deja fuera y lo dice meta.warnings: EVENT_ID_IGNORED, OCCURRED_AT_IGNORED, etc. Un event_id vacío, 0 o sin reemplazar, como {transaction_id}, es como si no viniera.
     */
    post: operations["tracking.storeEvent"];
  };
  "/api/v1/events/lead-events/batch/": {
    /**
     * Registrar hasta 500 eventos; cada uno entero o nada
     * @description Con la clave del emisor en X-API-Key. El cuerpo, de hasta 1 MB y 20,000 valores en total, también los de event_data; si pasa, manda menos eventos en cada lote.
     */
    post: operations["tracking.storeBatch"];
  };
}

export type webhooks = Record<string, never>;

export interface components {
  schemas: {
    Error: {
      /** @enum {boolean} */
      success: false;
      data: null;
      message: string;
      errors: string[];
      meta: {
        request_id: string;
        code: string;
        retryable: boolean;
        field_errors?: {
          [key: string]: string[];
        };
        sums?: {
          [key: string]: string;
        };
      };
    };
  };
  responses: {
    /** @description La dirección o el JSON están mal formados, un parámetro se repite o no es válido, o el cuerpo pasa de 12 niveles o de 20,000 valores. */
    Error400: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description Falta el token o la clave, o ya no vale. De un evento, además: SIGNATURE_REQUIRED (El emisor exige eventos firmados); INVALID_SIGNATURE (La firma no es válida o caducó). */
    Error401: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description El rol no puede usar esta función. */
    Error403: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description No existe, o no es tuyo. De un evento, además: UNKNOWN_TRACKING_ID (tracking_id desconocido). */
    Error404: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description La respuesta es application/json, y Accept no lo admite. */
    Error406: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description Choca con lo que ya está guardado. */
    Error409: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description El enlace ya no está activo. */
    Error410: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description Otra persona guardó cambios después de lo que dice If-Match. */
    Error412: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description El cuerpo es demasiado grande: un evento admite 64 KB; un lote de eventos, 1 MB. */
    Error413: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description La dirección es demasiado larga. */
    Error414: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description El tipo de contenido no es el esperado. */
    Error415: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description Algún campo no es válido; meta.field_errors dice cuál. De un evento, además: UNKNOWN_EVENT (El producto del lead no tiene ese paso); AMBIGUOUS_EVENT (El producto tiene varios pasos de ese tipo: indica step_id); IDEMPOTENCY_MISMATCH (Ese identificador ya es de un evento de otro lead). */
    Error422: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description Demasiadas solicitudes; espera los segundos de Retry-After. */
    Error429: {
      headers: {
        "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
        RateLimit: components["headers"]["RateLimit"];
      };
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description Error inesperado; meta.request_id lo identifica. */
    Error500: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description El servicio no está disponible y no se guardó nada; reintenta. */
    Error503: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
  };
  parameters: never;
  requestBodies: never;
  headers: {
    /** @description Cada límite con las solicitudes (q) que permite en tantos segundos (w). */
    "RateLimit-Policy": string;
    /** @description Cuántas solicitudes quedan (r) de cada límite, y en cuántos segundos (t) vuelven a ser todas. */
    RateLimit: string;
  };
  pathItems: never;
}

export type $defs = Record<string, never>;

export type external = Record<string, never>;

export interface operations {

  /**
   * Pagos; cada quien ve los suyos
   * @description Roles: Administrador, Emisor, Afiliado. También con una clave en X-API-Key.
   */
  "payments.list": {
    parameters: {
      query?: {
        search?: string;
        page?: number;
        page_size?: number;
        offset?: number;
        affiliate?: string;
        issuer?: string;
        relationship?: string;
        payment_status?: "pending" | "processing" | "paid" | "cancelled";
      };
    };
    responses: {
      /** @description Hecho. */
      200: {
        headers: {
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
        };
        content: {
          "application/json": {
            /** @enum {boolean} */
            success: true;
            data: ({
                id: number;
                relationship: number;
                affiliate: number;
                issuer: number;
                issuer_name: string;
                affiliate_name: string;
                /** Format: date */
                period_start: string;
                /** Format: date */
                period_end: string;
                period_duration_days: number;
                total_leads: number;
                total_conversions: number;
                conversion_rate: number;
                total_amount: string;
                entries_amount: string;
                calculated_amount: string;
                adjustment: string;
                adjustment_reason: string;
                /** @enum {string} */
                payment_status: "pending" | "processing" | "paid" | "cancelled";
                payment_date: string | null;
                paid_at: string | null;
                cancel_reason: string;
                notes: string;
                created_at: string;
                updated_at: string;
              })[];
            message: string | null;
            errors: null;
            meta: {
              request_id: string;
              code?: string;
              field_errors?: {
                [key: string]: string[];
              };
              sums?: {
                [key: string]: string;
              };
              retryable?: boolean;
              warnings?: string[];
              truncated?: boolean;
              count_is_capped?: boolean;
              [key: string]: unknown;
            };
          };
        };
      };
      400: components["responses"]["Error400"];
      401: components["responses"]["Error401"];
      403: components["responses"]["Error403"];
      406: components["responses"]["Error406"];
      414: components["responses"]["Error414"];
      429: components["responses"]["Error429"];
      500: components["responses"]["Error500"];
      503: components["responses"]["Error503"];
    };
  };
  /**
   * Un pago
   * @description Roles: Administrador, Emisor, Afiliado. También con una clave en X-API-Key.
   */
  "payments.get": {
    parameters: {
      path: {
        id: string;
      };
    };
    responses: {
      /** @description Hecho. */
      200: {
        headers: {
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
        };
        content: {
          "application/json": {
            /** @enum {boolean} */
            success: true;
            data: {
              id: number;
              relationship: number;
              affiliate: number;
              issuer: number;
              issuer_name: string;
              affiliate_name: string;
              /** Format: date */
              period_start: string;
              /** Format: date */
              period_end: string;
              period_duration_days: number;
              total_leads: number;
              total_conversions: number;
              conversion_rate: number;
              total_amount: string;
              entries_amount: string;
              calculated_amount: string;
              adjustment: string;
              adjustment_reason: string;
              /** @enum {string} */
              payment_status: "pending" | "processing" | "paid" | "cancelled";
              payment_date: string | null;
              paid_at: string | null;
              cancel_reason: string;
              notes: string;
              created_at: string;
              updated_at: string;
            };
            message: string | null;
            errors: null;
            meta: {
              request_id: string;
              code?: string;
              field_errors?: {
                [key: string]: string[];
              };
              sums?: {
                [key: string]: string;
              };
              retryable?: boolean;
              warnings?: string[];
              truncated?: boolean;
              count_is_capped?: boolean;
              [key: string]: unknown;
            };
          };
        };
      };
      400: components["responses"]["Error400"];
      401: components["responses"]["Error401"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      406: components["responses"]["Error406"];
      414: components["responses"]["Error414"];
      429: components["responses"]["Error429"];
      500: components["responses"]["Error500"];
      503: components["responses"]["Error503"];
    };
  };
  /**
   * Las comisiones que respaldan un pago
   * @description Roles: Administrador, Emisor, Afiliado. También con una clave en X-API-Key.
   */
  "payments.entries": {
    parameters: {
      query?: {
        page?: number;
        page_size?: number;
      };
      path: {
        id: string;
      };
    };
    responses: {
      /** @description Hecho. */
      200: {
        headers: {
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
        };
        content: {
          "application/json": {
            /** @enum {boolean} */
            success: true;
            data: {
              results: ({
                  id: number;
                  /** @enum {string} */
                  kind: "commission" | "reversal" | "restoration" | "bonus" | "adjustment";
                  lead_id: number | null;
                  tracking_id: string | null;
                  external_id: string;
                  product_id: number | null;
                  product_name: string;
                  step_id: number | null;
                  step_name: string;
                  amount: string;
                  /** @enum {string} */
                  state: "accrued" | "in_payment" | "paid" | "reversed";
                  earned_at: string;
                  payment_id: number | null;
                  reason: string | null;
                  note: string | null;
                })[];
              pagination: {
                count: number;
                current_page: number;
                total_pages: number;
                page_size: number;
              };
            };
            message: string | null;
            errors: null;
            meta: {
              request_id: string;
              code?: string;
              field_errors?: {
                [key: string]: string[];
              };
              sums?: {
                [key: string]: string;
              };
              retryable?: boolean;
              warnings?: string[];
              truncated?: boolean;
              count_is_capped?: boolean;
              [key: string]: unknown;
            };
          };
        };
      };
      400: components["responses"]["Error400"];
      401: components["responses"]["Error401"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      406: components["responses"]["Error406"];
      414: components["responses"]["Error414"];
      429: components["responses"]["Error429"];
      500: components["responses"]["Error500"];
      503: components["responses"]["Error503"];
    };
  };
  /**
   * El estado de un pago: las partes con su RFC y todas sus comisiones; con más de 10,000, 409
   * @description Roles: Administrador, Emisor, Afiliado. También con una clave en X-API-Key.
   */
  "payments.statement": {
    parameters: {
      path: {
        id: string;
      };
    };
    responses: {
      /** @description Hecho. */
      200: {
        headers: {
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
        };
        content: {
          "application/json": {
            /** @enum {boolean} */
            success: true;
            data: {
              payment: {
                id: number;
                relationship: number;
                affiliate: number;
                issuer: number;
                issuer_name: string;
                affiliate_name: string;
                /** Format: date */
                period_start: string;
                /** Format: date */
                period_end: string;
                period_duration_days: number;
                total_leads: number;
                total_conversions: number;
                conversion_rate: number;
                total_amount: string;
                entries_amount: string;
                calculated_amount: string;
                adjustment: string;
                adjustment_reason: string;
                /** @enum {string} */
                payment_status: "pending" | "processing" | "paid" | "cancelled";
                payment_date: string | null;
                paid_at: string | null;
                cancel_reason: string;
                notes: string;
                created_at: string;
                updated_at: string;
              };
              issuer: {
                company_name: string;
                rfc: string;
              };
              affiliate: {
                company_name: string;
                rfc: string;
              };
              lines: ({
                  id: number;
                  lead_id: number | null;
                  external_id: string;
                  product_name: string;
                  step_name: string;
                  amount: string;
                  /** @enum {string} */
                  state: "accrued" | "in_payment" | "paid" | "reversed";
                  earned_at: string;
                  is_difference: boolean;
                })[];
            };
            message: string | null;
            errors: null;
            meta: {
              request_id: string;
              code?: string;
              field_errors?: {
                [key: string]: string[];
              };
              sums?: {
                [key: string]: string;
              };
              retryable?: boolean;
              warnings?: string[];
              truncated?: boolean;
              count_is_capped?: boolean;
              [key: string]: unknown;
            };
          };
        };
      };
      400: components["responses"]["Error400"];
      401: components["responses"]["Error401"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      406: components["responses"]["Error406"];
      414: components["responses"]["Error414"];
      429: components["responses"]["Error429"];
      500: components["responses"]["Error500"];
      503: components["responses"]["Error503"];
    };
  };
  /**
   * Bonos y ajustes, los más recientes primero; el emisor ve los suyos
   * @description Roles: Administrador, Emisor. También con una clave en X-API-Key.
   */
  "adjustments.list": {
    parameters: {
      query?: {
        affiliate_id?: string;
        issuer_id?: string;
        kind?: "bonus" | "adjustment";
        state?: "accrued" | "in_payment" | "paid" | "reversed";
        page?: number;
        page_size?: number;
      };
    };
    responses: {
      /** @description Hecho. */
      200: {
        headers: {
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
        };
        content: {
          "application/json": {
            /** @enum {boolean} */
            success: true;
            data: {
              results: ({
                  id: number;
                  /** @enum {string} */
                  kind: "reversal" | "restoration" | "bonus" | "adjustment";
                  affiliate: number;
                  affiliate_name: string;
                  issuer: number;
                  issuer_name: string;
                  product_id: number | null;
                  product_name: string;
                  amount: string;
                  note: string;
                  /** @enum {string} */
                  state: "accrued" | "in_payment" | "paid" | "reversed";
                  reason: string | null;
                  payment_id: number | null;
                  of_payment: number | null;
                  due_on: string | null;
                  created_at: string;
                  author_name: string | null;
                })[];
              pagination: {
                count: number;
                current_page: number;
                total_pages: number;
                page_size: number;
              };
              amount: string;
            };
            message: string | null;
            errors: null;
            meta: {
              request_id: string;
              code?: string;
              field_errors?: {
                [key: string]: string[];
              };
              sums?: {
                [key: string]: string;
              };
              retryable?: boolean;
              warnings?: string[];
              truncated?: boolean;
              count_is_capped?: boolean;
              [key: string]: unknown;
            };
          };
        };
      };
      400: components["responses"]["Error400"];
      401: components["responses"]["Error401"];
      403: components["responses"]["Error403"];
      406: components["responses"]["Error406"];
      414: components["responses"]["Error414"];
      429: components["responses"]["Error429"];
      500: components["responses"]["Error500"];
      503: components["responses"]["Error503"];
    };
  };
  /**
   * Comisiones propias, la más reciente primero: qué las generó, su estado y su pago
   * @description Roles: Afiliado. También con una clave en X-API-Key.
   */
  "commissionEntries.list": {
    parameters: {
      query?: {
        state?: "accrued" | "in_payment" | "paid" | "reversed";
        standing?: "validating" | "awaiting" | "held" | "payable" | "in_payment" | "paid" | "rejected" | "charge";
        product_id?: string;
        from?: string;
        to?: string;
        page?: number;
        page_size?: number;
      };
    };
    responses: {
      /** @description Hecho. */
      200: {
        headers: {
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
        };
        content: {
          "application/json": {
            /** @enum {boolean} */
            success: true;
            data: {
              results: ({
                  id: number;
                  /** @enum {string} */
                  kind: "commission" | "reversal" | "restoration" | "bonus" | "adjustment";
                  lead_id: number | null;
                  tracking_id: string | null;
                  external_id: string;
                  product_id: number | null;
                  product_name: string;
                  step_id: number | null;
                  step_name: string;
                  amount: string;
                  /** @enum {string} */
                  state: "accrued" | "in_payment" | "paid" | "reversed";
                  earned_at: string;
                  payment_id: number | null;
                  reason: string | null;
                  note: string | null;
                  issuer_name: string;
                  /** @enum {string} */
                  standing: "validating" | "awaiting" | "held" | "payable" | "in_payment" | "paid" | "rejected" | "charge";
                  due_on: string | null;
                  reversal_of: number | null;
                  payment_status: ("pending" | "processing" | "paid" | "cancelled") | null;
                  payment_date: string | null;
                  reject_label: string | null;
                  advice: string | null;
                })[];
              pagination: {
                count: number;
                current_page: number;
                total_pages: number;
                page_size: number;
              };
              amount: string;
              reversed_amount: string;
            };
            message: string | null;
            errors: null;
            meta: {
              request_id: string;
              code?: string;
              field_errors?: {
                [key: string]: string[];
              };
              sums?: {
                [key: string]: string;
              };
              retryable?: boolean;
              warnings?: string[];
              truncated?: boolean;
              count_is_capped?: boolean;
              [key: string]: unknown;
            };
          };
        };
      };
      400: components["responses"]["Error400"];
      401: components["responses"]["Error401"];
      403: components["responses"]["Error403"];
      406: components["responses"]["Error406"];
      414: components["responses"]["Error414"];
      429: components["responses"]["Error429"];
      500: components["responses"]["Error500"];
      503: components["responses"]["Error503"];
    };
  };
  /**
   * Comisiones que esperan aprobación, la más antigua primero; el emisor ve las suyas
   * @description Roles: Administrador, Emisor. También con una clave en X-API-Key.
   */
  "commissionEntries.waiting": {
    parameters: {
      query?: {
        product_id?: string;
        affiliate_id?: string;
        issuer_id?: string;
        page?: number;
        page_size?: number;
      };
    };
    responses: {
      /** @description Hecho. */
      200: {
        headers: {
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
        };
        content: {
          "application/json": {
            /** @enum {boolean} */
            success: true;
            data: {
              results: ({
                  id: number;
                  /** @enum {string} */
                  kind: "commission" | "reversal" | "restoration" | "bonus" | "adjustment";
                  lead_id: number | null;
                  tracking_id: string | null;
                  external_id: string;
                  product_id: number | null;
                  product_name: string;
                  step_id: number | null;
                  step_name: string;
                  amount: string;
                  /** @enum {string} */
                  state: "accrued" | "in_payment" | "paid" | "reversed";
                  earned_at: string;
                  payment_id: number | null;
                  reason: string | null;
                  note: string | null;
                  affiliate: number;
                  affiliate_name: string;
                  issuer: number;
                  issuer_name: string;
                  compensation: string;
                  is_held: boolean;
                  /** Format: date */
                  validation_ends_on: string;
                  days: number;
                })[];
              pagination: {
                count: number;
                current_page: number;
                total_pages: number;
                page_size: number;
              };
              amount: string;
              held: number;
              held_amount: string;
            };
            message: string | null;
            errors: null;
            meta: {
              request_id: string;
              code?: string;
              field_errors?: {
                [key: string]: string[];
              };
              sums?: {
                [key: string]: string;
              };
              retryable?: boolean;
              warnings?: string[];
              truncated?: boolean;
              count_is_capped?: boolean;
              [key: string]: unknown;
            };
          };
        };
      };
      400: components["responses"]["Error400"];
      401: components["responses"]["Error401"];
      403: components["responses"]["Error403"];
      406: components["responses"]["Error406"];
      414: components["responses"]["Error414"];
      429: components["responses"]["Error429"];
      500: components["responses"]["Error500"];
      503: components["responses"]["Error503"];
    };
  };
  /**
   * Leads, una página; cada quien ve los suyos
   * @description Roles: Administrador, Emisor, Afiliado. También con una clave en X-API-Key.
   */
  "leads.list": {
    parameters: {
      query?: {
        page?: number;
        page_size?: number;
        ordering?: "created_at" | "-created_at" | "id" | "-id" | "external_id" | "-external_id" | "tracking_id" | "-tracking_id";
        issuer_id?: string;
        affiliate_id?: string;
        product_id?: string;
        state?: "click" | "in_process" | "approved" | "rejected" | "paid";
        utm_source?: string;
        utm_medium?: string;
        utm_campaign?: string;
        utm_term?: string;
        utm_content?: string;
        external_id?: string;
        tracking_id?: string;
        from?: string;
        to?: string;
      };
    };
    responses: {
      /** @description Hecho. */
      200: {
        headers: {
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
        };
        content: {
          "application/json": {
            /** @enum {boolean} */
            success: true;
            data: {
              results: ({
                  id: number;
                  tracking_id: string;
                  external_id: string;
                  created_at: string;
                  lead_data: (string | {
                    [key: string]: unknown;
                  }) | null;
                  product_id: number;
                  issuer_id: number;
                  affiliate_id: number;
                  product_name: string;
                  issuer_name: string;
                  affiliate_name: string;
                  utm_source: string;
                  utm_medium: string;
                  utm_campaign: string;
                  utm_term: string;
                  utm_content: string;
                  /** @enum {string} */
                  state: "click" | "in_process" | "approved" | "rejected" | "paid";
                  amount: string | null;
                  events: ({
                      id: number;
                      step_name: string;
                      event_type_name: string;
                      source: string;
                      created_at: string;
                      /** @description En una lista, solo los datos de los eventos más recientes de cada lead, hasta 32 KB, y null los demás; un lead por su id los trae todos. */
                      event_data: (string | {
                        [key: string]: unknown;
                      }) | null;
                      is_voided: boolean;
                    })[];
                })[];
              pagination: {
                count: number;
                current_page: number;
                total_pages: number;
                page_size: number;
              };
            };
            message: string | null;
            errors: null;
            meta: {
              request_id: string;
              code?: string;
              field_errors?: {
                [key: string]: string[];
              };
              sums?: {
                [key: string]: string;
              };
              retryable?: boolean;
              warnings?: string[];
              truncated?: boolean;
              count_is_capped?: boolean;
              [key: string]: unknown;
            };
          };
        };
      };
      400: components["responses"]["Error400"];
      401: components["responses"]["Error401"];
      403: components["responses"]["Error403"];
      406: components["responses"]["Error406"];
      414: components["responses"]["Error414"];
      429: components["responses"]["Error429"];
      500: components["responses"]["Error500"];
      503: components["responses"]["Error503"];
    };
  };
  /**
   * Un lead con sus eventos, el más reciente primero
   * @description Roles: Administrador, Emisor, Afiliado. También con una clave en X-API-Key.
   */
  "leads.get": {
    parameters: {
      path: {
        id: string;
      };
    };
    responses: {
      /** @description Hecho. */
      200: {
        headers: {
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
        };
        content: {
          "application/json": {
            /** @enum {boolean} */
            success: true;
            data: {
              id: number;
              tracking_id: string;
              external_id: string;
              created_at: string;
              lead_data: (string | {
                [key: string]: unknown;
              }) | null;
              product_id: number;
              issuer_id: number;
              affiliate_id: number;
              product_name: string;
              issuer_name: string;
              affiliate_name: string;
              utm_source: string;
              utm_medium: string;
              utm_campaign: string;
              utm_term: string;
              utm_content: string;
              /** @enum {string} */
              state: "click" | "in_process" | "approved" | "rejected" | "paid";
              amount: string | null;
              events: ({
                  id: number;
                  step_name: string;
                  event_type_name: string;
                  source: string;
                  created_at: string;
                  /** @description En una lista, solo los datos de los eventos más recientes de cada lead, hasta 32 KB, y null los demás; un lead por su id los trae todos. */
                  event_data: (string | {
                    [key: string]: unknown;
                  }) | null;
                  is_voided: boolean;
                })[];
              rejection: ({
                at: string;
                code: string | null;
                label: string;
                advice: string;
              }) | null;
              rulings: ({
                  id: number;
                  created_at: string;
                  author_name: string | null;
                  note: string | null;
                })[];
              is_rejectable: boolean;
            };
            message: string | null;
            errors: null;
            meta: {
              request_id: string;
              code?: string;
              field_errors?: {
                [key: string]: string[];
              };
              sums?: {
                [key: string]: string;
              };
              retryable?: boolean;
              warnings?: string[];
              truncated?: boolean;
              count_is_capped?: boolean;
              [key: string]: unknown;
            };
          };
        };
      };
      400: components["responses"]["Error400"];
      401: components["responses"]["Error401"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      406: components["responses"]["Error406"];
      414: components["responses"]["Error414"];
      429: components["responses"]["Error429"];
      500: components["responses"]["Error500"];
      503: components["responses"]["Error503"];
    };
  };
  /**
   * Las comisiones que un lead generó, la más antigua primero
   * @description Roles: Administrador, Emisor, Afiliado. También con una clave en X-API-Key.
   */
  "leads.entries": {
    parameters: {
      path: {
        id: string;
      };
    };
    responses: {
      /** @description Hecho. */
      200: {
        headers: {
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
        };
        content: {
          "application/json": {
            /** @enum {boolean} */
            success: true;
            data: ({
                id: number;
                /** @enum {string} */
                kind: "commission" | "reversal" | "restoration" | "bonus" | "adjustment";
                lead_id: number | null;
                tracking_id: string | null;
                external_id: string;
                product_id: number | null;
                product_name: string;
                step_id: number | null;
                step_name: string;
                amount: string;
                /** @enum {string} */
                state: "accrued" | "in_payment" | "paid" | "reversed";
                earned_at: string;
                payment_id: number | null;
                reason: string | null;
                note: string | null;
              })[];
            message: string | null;
            errors: null;
            meta: {
              request_id: string;
              code?: string;
              field_errors?: {
                [key: string]: string[];
              };
              sums?: {
                [key: string]: string;
              };
              retryable?: boolean;
              warnings?: string[];
              truncated?: boolean;
              count_is_capped?: boolean;
              [key: string]: unknown;
            };
          };
        };
      };
      400: components["responses"]["Error400"];
      401: components["responses"]["Error401"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      406: components["responses"]["Error406"];
      414: components["responses"]["Error414"];
      429: components["responses"]["Error429"];
      500: components["responses"]["Error500"];
      503: components["responses"]["Error503"];
    };
  };
  /**
   * Los motivos de rechazo, una lista cerrada: sus códigos no cambian
   * @description Roles: Administrador, Emisor, Afiliado. También con una clave en X-API-Key.
   */
  "rulings.reasons": {
    responses: {
      /** @description Hecho. */
      200: {
        headers: {
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
        };
        content: {
          "application/json": {
            /** @enum {boolean} */
            success: true;
            data: {
                code: string;
                label: string;
                group_label: string;
                advice: string;
                is_financial: boolean;
              }[];
            message: string | null;
            errors: null;
            meta: {
              request_id: string;
              code?: string;
              field_errors?: {
                [key: string]: string[];
              };
              sums?: {
                [key: string]: string;
              };
              retryable?: boolean;
              warnings?: string[];
              truncated?: boolean;
              count_is_capped?: boolean;
              [key: string]: unknown;
            };
          };
        };
      };
      400: components["responses"]["Error400"];
      401: components["responses"]["Error401"];
      403: components["responses"]["Error403"];
      406: components["responses"]["Error406"];
      414: components["responses"]["Error414"];
      429: components["responses"]["Error429"];
      500: components["responses"]["Error500"];
      503: components["responses"]["Error503"];
    };
  };
  /**
   * Leads, conversiones y comisiones por día, producto y socio, con el periodo anterior
   * @description Roles: Administrador, Emisor, Afiliado. También con una clave en X-API-Key.
   */
  "reports.performance": {
    parameters: {
      query?: {
        from?: string;
        to?: string;
        issuer_id?: string;
        affiliate_id?: string;
        product_id?: string;
      };
    };
    responses: {
      /** @description Hecho. */
      200: {
        headers: {
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
        };
        content: {
          "application/json": {
            /** @enum {boolean} */
            success: true;
            data: {
              period: {
                /** Format: date */
                from: string;
                /** Format: date */
                to: string;
              };
              comparison: {
                period: {
                  /** Format: date */
                  from: string;
                  /** Format: date */
                  to: string;
                };
                previous_period: {
                  /** Format: date */
                  from: string;
                  /** Format: date */
                  to: string;
                };
              } | null;
              totals: {
                leads: number;
                conversions: number;
                commission: string;
                conversion_rate: number;
              };
              compared_totals: {
                leads: number;
                conversions: number;
                commission: string;
                conversion_rate: number;
              };
              previous_totals: {
                leads: number;
                conversions: number;
                commission: string;
                conversion_rate: number;
              };
              previews: number;
              days: ({
                  /** Format: date */
                  day: string;
                  leads: number;
                  conversions: number;
                  commission: string;
                  previous: {
                    /** Format: date */
                    day: string;
                    leads: number;
                    conversions: number;
                    commission: string;
                  } | null;
                })[];
              products: {
                  id: number;
                  name: string;
                  leads: number;
                  conversions: number;
                  commission: string;
                  conversion_rate: number;
                  compared: {
                    leads: number;
                    conversions: number;
                    commission: string;
                    conversion_rate: number;
                  };
                  previous: {
                    leads: number;
                    conversions: number;
                    commission: string;
                    conversion_rate: number;
                  };
                }[];
              issuers: {
                  id: number;
                  name: string;
                  leads: number;
                  conversions: number;
                  commission: string;
                  conversion_rate: number;
                  compared: {
                    leads: number;
                    conversions: number;
                    commission: string;
                    conversion_rate: number;
                  };
                  previous: {
                    leads: number;
                    conversions: number;
                    commission: string;
                    conversion_rate: number;
                  };
                }[];
              affiliates: {
                  id: number;
                  name: string;
                  leads: number;
                  conversions: number;
                  commission: string;
                  conversion_rate: number;
                  compared: {
                    leads: number;
                    conversions: number;
                    commission: string;
                    conversion_rate: number;
                  };
                  previous: {
                    leads: number;
                    conversions: number;
                    commission: string;
                    conversion_rate: number;
                  };
                }[];
            };
            message: string | null;
            errors: null;
            meta: {
              request_id: string;
              code?: string;
              field_errors?: {
                [key: string]: string[];
              };
              sums?: {
                [key: string]: string;
              };
              retryable?: boolean;
              warnings?: string[];
              truncated?: boolean;
              count_is_capped?: boolean;
              [key: string]: unknown;
            };
          };
        };
      };
      400: components["responses"]["Error400"];
      401: components["responses"]["Error401"];
      403: components["responses"]["Error403"];
      406: components["responses"]["Error406"];
      414: components["responses"]["Error414"];
      429: components["responses"]["Error429"];
      500: components["responses"]["Error500"];
      503: components["responses"]["Error503"];
    };
  };
  /**
   * Hasta dónde llegan los leads de un producto y cuántos se aprueban según el día del clic
   * @description Roles: Administrador, Emisor, Afiliado. También con una clave en X-API-Key.
   */
  "reports.funnel": {
    parameters: {
      query?: {
        from?: string;
        to?: string;
        issuer_id?: string;
        affiliate_id?: string;
      };
      path: {
        id: string;
      };
    };
    responses: {
      /** @description Hecho. */
      200: {
        headers: {
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
        };
        content: {
          "application/json": {
            /** @enum {boolean} */
            success: true;
            data: {
              period: {
                /** Format: date */
                from: string;
                /** Format: date */
                to: string;
              };
              product: {
                id: number;
                name: string;
                issuer_name: string;
              };
              leads: number;
              steps: ({
                  step_id: number;
                  name: string;
                  event_type_name: string;
                  is_payout_event: boolean;
                  archived: boolean;
                  reached: number;
                  share: number;
                  lost: number | null;
                  lost_share: number | null;
                  events: number;
                })[];
              approval_step: string | null;
              maturity_days: number;
              cohorts: {
                  /** Format: date */
                  from: string;
                  /** Format: date */
                  to: string;
                  leads: number;
                  approved: number;
                  approval_rate: number;
                  is_young: boolean;
                }[];
            };
            message: string | null;
            errors: null;
            meta: {
              request_id: string;
              code?: string;
              field_errors?: {
                [key: string]: string[];
              };
              sums?: {
                [key: string]: string;
              };
              retryable?: boolean;
              warnings?: string[];
              truncated?: boolean;
              count_is_capped?: boolean;
              [key: string]: unknown;
            };
          };
        };
      };
      400: components["responses"]["Error400"];
      401: components["responses"]["Error401"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      406: components["responses"]["Error406"];
      414: components["responses"]["Error414"];
      429: components["responses"]["Error429"];
      500: components["responses"]["Error500"];
      503: components["responses"]["Error503"];
    };
  };
  /**
   * Comisiones por estado, día, producto y socio
   * @description Roles: Administrador, Emisor, Afiliado. También con una clave en X-API-Key.
   */
  "reports.commissions": {
    parameters: {
      query?: {
        from?: string;
        to?: string;
        issuer_id?: string;
        affiliate_id?: string;
        product_id?: string;
      };
    };
    responses: {
      /** @description Hecho. */
      200: {
        headers: {
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
        };
        content: {
          "application/json": {
            /** @enum {boolean} */
            success: true;
            data: {
              period: {
                /** Format: date */
                from: string;
                /** Format: date */
                to: string;
              };
              totals: {
                accrued: string;
                in_payment: string;
                paid: string;
                reversed: string;
                earned: string;
              };
              days: {
                  /** Format: date */
                  day: string;
                  accrued: string;
                  in_payment: string;
                  paid: string;
                  reversed: string;
                  earned: string;
                }[];
              products: {
                  id: number;
                  name: string;
                  accrued: string;
                  in_payment: string;
                  paid: string;
                  reversed: string;
                  earned: string;
                }[];
              issuers: {
                  id: number;
                  name: string;
                  accrued: string;
                  in_payment: string;
                  paid: string;
                  reversed: string;
                  earned: string;
                }[];
              affiliates: {
                  id: number;
                  name: string;
                  accrued: string;
                  in_payment: string;
                  paid: string;
                  reversed: string;
                  earned: string;
                }[];
            };
            message: string | null;
            errors: null;
            meta: {
              request_id: string;
              code?: string;
              field_errors?: {
                [key: string]: string[];
              };
              sums?: {
                [key: string]: string;
              };
              retryable?: boolean;
              warnings?: string[];
              truncated?: boolean;
              count_is_capped?: boolean;
              [key: string]: unknown;
            };
          };
        };
      };
      400: components["responses"]["Error400"];
      401: components["responses"]["Error401"];
      403: components["responses"]["Error403"];
      406: components["responses"]["Error406"];
      414: components["responses"]["Error414"];
      429: components["responses"]["Error429"];
      500: components["responses"]["Error500"];
      503: components["responses"]["Error503"];
    };
  };
  /**
   * Toda la red: el rendimiento, las comisiones y cada pareja de emisor y afiliado
   * @description Roles: Administrador. También con una clave en X-API-Key.
   */
  "reports.network": {
    parameters: {
      query?: {
        from?: string;
        to?: string;
        issuer_id?: string;
        affiliate_id?: string;
        product_id?: string;
      };
    };
    responses: {
      /** @description Hecho. */
      200: {
        headers: {
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
        };
        content: {
          "application/json": {
            /** @enum {boolean} */
            success: true;
            data: {
              period: {
                /** Format: date */
                from: string;
                /** Format: date */
                to: string;
              };
              comparison: {
                period: {
                  /** Format: date */
                  from: string;
                  /** Format: date */
                  to: string;
                };
                previous_period: {
                  /** Format: date */
                  from: string;
                  /** Format: date */
                  to: string;
                };
              } | null;
              totals: {
                leads: number;
                conversions: number;
                commission: string;
                conversion_rate: number;
              };
              compared_totals: {
                leads: number;
                conversions: number;
                commission: string;
                conversion_rate: number;
              };
              previous_totals: {
                leads: number;
                conversions: number;
                commission: string;
                conversion_rate: number;
              };
              previews: number;
              days: ({
                  /** Format: date */
                  day: string;
                  leads: number;
                  conversions: number;
                  commission: string;
                  previous: {
                    /** Format: date */
                    day: string;
                    leads: number;
                    conversions: number;
                    commission: string;
                  } | null;
                })[];
              products: {
                  id: number;
                  name: string;
                  leads: number;
                  conversions: number;
                  commission: string;
                  conversion_rate: number;
                  compared: {
                    leads: number;
                    conversions: number;
                    commission: string;
                    conversion_rate: number;
                  };
                  previous: {
                    leads: number;
                    conversions: number;
                    commission: string;
                    conversion_rate: number;
                  };
                }[];
              issuers: {
                  id: number;
                  name: string;
                  leads: number;
                  conversions: number;
                  commission: string;
                  conversion_rate: number;
                  compared: {
                    leads: number;
                    conversions: number;
                    commission: string;
                    conversion_rate: number;
                  };
                  previous: {
                    leads: number;
                    conversions: number;
                    commission: string;
                    conversion_rate: number;
                  };
                }[];
              affiliates: {
                  id: number;
                  name: string;
                  leads: number;
                  conversions: number;
                  commission: string;
                  conversion_rate: number;
                  compared: {
                    leads: number;
                    conversions: number;
                    commission: string;
                    conversion_rate: number;
                  };
                  previous: {
                    leads: number;
                    conversions: number;
                    commission: string;
                    conversion_rate: number;
                  };
                }[];
              states: {
                accrued: string;
                in_payment: string;
                paid: string;
                reversed: string;
                earned: string;
              };
              pairs: {
                  issuer_id: number;
                  issuer_name: string;
                  affiliate_id: number;
                  affiliate_name: string;
                  leads: number;
                  conversions: number;
                  commission: string;
                  conversion_rate: number;
                }[];
            };
            message: string | null;
            errors: null;
            meta: {
              request_id: string;
              code?: string;
              field_errors?: {
                [key: string]: string[];
              };
              sums?: {
                [key: string]: string;
              };
              retryable?: boolean;
              warnings?: string[];
              truncated?: boolean;
              count_is_capped?: boolean;
              [key: string]: unknown;
            };
          };
        };
      };
      400: components["responses"]["Error400"];
      401: components["responses"]["Error401"];
      403: components["responses"]["Error403"];
      406: components["responses"]["Error406"];
      414: components["responses"]["Error414"];
      429: components["responses"]["Error429"];
      500: components["responses"]["Error500"];
      503: components["responses"]["Error503"];
    };
  };
  /**
   * Una tabla de los reportes como archivo CSV
   * @description Roles: Administrador, Emisor, Afiliado. También con una clave en X-API-Key.
   */
  "reports.table": {
    parameters: {
      query?: {
        from?: string;
        to?: string;
        issuer_id?: string;
        affiliate_id?: string;
        product_id?: string;
      };
      path: {
        table: "rendimiento-dias" | "rendimiento-productos" | "rendimiento-emisores" | "rendimiento-afiliados" | "comisiones-dias" | "comisiones-productos" | "comisiones-emisores" | "comisiones-afiliados" | "embudo-pasos" | "embudo-cosechas" | "red-parejas";
      };
    };
    responses: {
      /** @description Hecho. */
      200: {
        headers: {
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
        };
        content: {
          "text/csv; charset=utf-8": string;
        };
      };
      400: components["responses"]["Error400"];
      401: components["responses"]["Error401"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      414: components["responses"]["Error414"];
      429: components["responses"]["Error429"];
      500: components["responses"]["Error500"];
      503: components["responses"]["Error503"];
    };
  };
  /**
   * Leads, aprobados, rechazados y lo ganado por UTM o por sub1 a sub10, según el día del clic
   * @description Roles: Administrador, Emisor, Afiliado. También con una clave en X-API-Key.
   */
  "results.list": {
    parameters: {
      query?: {
        from?: string;
        to?: string;
        issuer_id?: string;
        affiliate_id?: string;
        product_id?: string;
        dimension?: "utm_source" | "utm_medium" | "utm_campaign" | "utm_content" | "utm_term" | "sub1" | "sub2" | "sub3" | "sub4" | "sub5" | "sub6" | "sub7" | "sub8" | "sub9" | "sub10";
        by?: "value" | "day";
        search?: string;
        ordering?: "leads" | "-leads" | "approved" | "-approved" | "rejected" | "-rejected" | "earned" | "-earned" | "value" | "-value" | "day" | "-day";
        page?: number;
        page_size?: number;
      };
    };
    responses: {
      /** @description Hecho. */
      200: {
        headers: {
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
        };
        content: {
          "application/json": {
            /** @enum {boolean} */
            success: true;
            data: {
              period: {
                /** Format: date */
                from: string;
                /** Format: date */
                to: string;
              };
              results: ({
                  day: string | null;
                  /** @enum {string} */
                  kind: "value" | "rest" | "none";
                  value: string | null;
                  leads: number;
                  approved: number;
                  rejected: number;
                  earned: string;
                  approval_rate: number;
                })[];
              totals: {
                leads: number;
                approved: number;
                rejected: number;
                earned: string;
                approval_rate: number;
              };
              pagination: {
                count: number;
                current_page: number;
                total_pages: number;
                page_size: number;
              };
            };
            message: string | null;
            errors: null;
            meta: {
              request_id: string;
              code?: string;
              field_errors?: {
                [key: string]: string[];
              };
              sums?: {
                [key: string]: string;
              };
              retryable?: boolean;
              warnings?: string[];
              truncated?: boolean;
              count_is_capped?: boolean;
              [key: string]: unknown;
            };
          };
        };
      };
      400: components["responses"]["Error400"];
      401: components["responses"]["Error401"];
      403: components["responses"]["Error403"];
      406: components["responses"]["Error406"];
      414: components["responses"]["Error414"];
      429: components["responses"]["Error429"];
      500: components["responses"]["Error500"];
      503: components["responses"]["Error503"];
    };
  };
  /**
   * Leads, como archivo CSV o de Excel; las mismas filas que su lista
   * @description Roles: Administrador, Emisor, Afiliado. También con una clave en X-API-Key.
   */
  "exports.leads": {
    parameters: {
      query?: {
        ordering?: "created_at" | "-created_at" | "id" | "-id" | "external_id" | "-external_id" | "tracking_id" | "-tracking_id";
        issuer_id?: string;
        affiliate_id?: string;
        product_id?: string;
        state?: "click" | "in_process" | "approved" | "rejected" | "paid";
        utm_source?: string;
        utm_medium?: string;
        utm_campaign?: string;
        utm_term?: string;
        utm_content?: string;
        external_id?: string;
        tracking_id?: string;
        from?: string;
        to?: string;
        format?: "csv" | "xlsx";
        ids?: string;
      };
    };
    responses: {
      /** @description Hecho. */
      200: {
        headers: {
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
        };
        content: {
          "text/csv; charset=utf-8": string;
          "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
        };
      };
      400: components["responses"]["Error400"];
      401: components["responses"]["Error401"];
      403: components["responses"]["Error403"];
      409: components["responses"]["Error409"];
      414: components["responses"]["Error414"];
      429: components["responses"]["Error429"];
      500: components["responses"]["Error500"];
      503: components["responses"]["Error503"];
    };
  };
  /**
   * Pagos, como archivo CSV o de Excel; las mismas filas que su lista
   * @description Roles: Administrador, Emisor, Afiliado. También con una clave en X-API-Key.
   */
  "exports.payments": {
    parameters: {
      query?: {
        search?: string;
        affiliate?: string;
        issuer?: string;
        relationship?: string;
        payment_status?: "pending" | "processing" | "paid" | "cancelled";
        format?: "csv" | "xlsx";
        ids?: string;
        year?: string;
        month?: string;
      };
    };
    responses: {
      /** @description Hecho. */
      200: {
        headers: {
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
        };
        content: {
          "text/csv; charset=utf-8": string;
          "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
        };
      };
      400: components["responses"]["Error400"];
      401: components["responses"]["Error401"];
      403: components["responses"]["Error403"];
      409: components["responses"]["Error409"];
      414: components["responses"]["Error414"];
      429: components["responses"]["Error429"];
      500: components["responses"]["Error500"];
      503: components["responses"]["Error503"];
    };
  };
  /**
   * Comisiones que respaldan un pago, como archivo CSV o de Excel; las mismas filas que su lista
   * @description Roles: Administrador, Emisor, Afiliado. También con una clave en X-API-Key.
   */
  "exports.paymentEntries": {
    parameters: {
      query?: {
        format?: "csv" | "xlsx";
      };
      path: {
        id: string;
      };
    };
    responses: {
      /** @description Hecho. */
      200: {
        headers: {
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
        };
        content: {
          "text/csv; charset=utf-8": string;
          "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
        };
      };
      400: components["responses"]["Error400"];
      401: components["responses"]["Error401"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      414: components["responses"]["Error414"];
      429: components["responses"]["Error429"];
      500: components["responses"]["Error500"];
      503: components["responses"]["Error503"];
    };
  };
  /**
   * Comisiones propias, como archivo CSV o de Excel; las mismas filas que su lista
   * @description Roles: Afiliado. También con una clave en X-API-Key.
   */
  "exports.commissionEntries": {
    parameters: {
      query?: {
        state?: "accrued" | "in_payment" | "paid" | "reversed";
        standing?: "validating" | "awaiting" | "held" | "payable" | "in_payment" | "paid" | "rejected" | "charge";
        product_id?: string;
        from?: string;
        to?: string;
        format?: "csv" | "xlsx";
      };
    };
    responses: {
      /** @description Hecho. */
      200: {
        headers: {
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
        };
        content: {
          "text/csv; charset=utf-8": string;
          "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
        };
      };
      400: components["responses"]["Error400"];
      401: components["responses"]["Error401"];
      403: components["responses"]["Error403"];
      409: components["responses"]["Error409"];
      414: components["responses"]["Error414"];
      429: components["responses"]["Error429"];
      500: components["responses"]["Error500"];
      503: components["responses"]["Error503"];
    };
  };
  /**
   * Relaciones, como archivo CSV o de Excel; las mismas filas que su lista
   * @description Roles: Administrador, Emisor, Afiliado. También con una clave en X-API-Key.
   */
  "exports.relationships": {
    parameters: {
      query?: {
        search?: string;
        affiliate_id?: string;
        issuer_id?: string;
        relationship_status?: "active" | "inactive";
        format?: "csv" | "xlsx";
        ids?: string;
      };
    };
    responses: {
      /** @description Hecho. */
      200: {
        headers: {
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
        };
        content: {
          "text/csv; charset=utf-8": string;
          "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
        };
      };
      400: components["responses"]["Error400"];
      401: components["responses"]["Error401"];
      403: components["responses"]["Error403"];
      409: components["responses"]["Error409"];
      414: components["responses"]["Error414"];
      429: components["responses"]["Error429"];
      500: components["responses"]["Error500"];
      503: components["responses"]["Error503"];
    };
  };
  /**
   * Productos, como archivo CSV o de Excel; las mismas filas que su lista
   * @description Roles: Administrador, Emisor, Afiliado. También con una clave en X-API-Key.
   */
  "exports.products": {
    parameters: {
      query?: {
        search?: string;
        name?: string;
        issuer_id?: string;
        status?: "active" | "inactive";
        format?: "csv" | "xlsx";
        ids?: string;
      };
    };
    responses: {
      /** @description Hecho. */
      200: {
        headers: {
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
        };
        content: {
          "text/csv; charset=utf-8": string;
          "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
        };
      };
      400: components["responses"]["Error400"];
      401: components["responses"]["Error401"];
      403: components["responses"]["Error403"];
      409: components["responses"]["Error409"];
      414: components["responses"]["Error414"];
      429: components["responses"]["Error429"];
      500: components["responses"]["Error500"];
      503: components["responses"]["Error503"];
    };
  };
  /**
   * Pasos de los flujos, como archivo CSV o de Excel; las mismas filas que su lista
   * @description Roles: Administrador, Emisor, Afiliado. También con una clave en X-API-Key.
   */
  "exports.eventSteps": {
    parameters: {
      query?: {
        issuer_id?: string;
        product_id?: string;
        format?: "csv" | "xlsx";
        ids?: string;
        search?: string;
      };
    };
    responses: {
      /** @description Hecho. */
      200: {
        headers: {
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
        };
        content: {
          "text/csv; charset=utf-8": string;
          "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
        };
      };
      400: components["responses"]["Error400"];
      401: components["responses"]["Error401"];
      403: components["responses"]["Error403"];
      409: components["responses"]["Error409"];
      414: components["responses"]["Error414"];
      429: components["responses"]["Error429"];
      500: components["responses"]["Error500"];
      503: components["responses"]["Error503"];
    };
  };
  /**
   * Comisiones configuradas, como archivo CSV o de Excel; las mismas filas que su lista
   * @description Roles: Administrador, Emisor. También con una clave en X-API-Key.
   */
  "exports.commissions": {
    parameters: {
      query?: {
        search?: string;
        product_id?: string;
        affiliate_id?: string;
        issuer_id?: string;
        format?: "csv" | "xlsx";
        ids?: string;
      };
    };
    responses: {
      /** @description Hecho. */
      200: {
        headers: {
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
        };
        content: {
          "text/csv; charset=utf-8": string;
          "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
        };
      };
      400: components["responses"]["Error400"];
      401: components["responses"]["Error401"];
      403: components["responses"]["Error403"];
      409: components["responses"]["Error409"];
      414: components["responses"]["Error414"];
      429: components["responses"]["Error429"];
      500: components["responses"]["Error500"];
      503: components["responses"]["Error503"];
    };
  };
  /**
   * Renglones de una conciliación con su veredicto, como archivo CSV o de Excel; las mismas filas que su lista
   * @description Roles: Administrador, Emisor. También con una clave en X-API-Key.
   */
  "exports.importRows": {
    parameters: {
      query?: {
        outcome?: "approve" | "record" | "reject" | "reject_paid" | "restore" | "stays_rejected" | "unchanged" | "not_found" | "conflict" | "repeated" | "invalid" | "no_step" | "ignored";
        result?: "applied" | "changed";
        remark?: "other_amount" | "unreadable_amount" | "before_click" | "other_date" | "unreadable_date";
        format?: "csv" | "xlsx";
      };
      path: {
        id: string;
      };
    };
    responses: {
      /** @description Hecho. */
      200: {
        headers: {
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
        };
        content: {
          "text/csv; charset=utf-8": string;
          "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
        };
      };
      400: components["responses"]["Error400"];
      401: components["responses"]["Error401"];
      403: components["responses"]["Error403"];
      404: components["responses"]["Error404"];
      409: components["responses"]["Error409"];
      414: components["responses"]["Error414"];
      429: components["responses"]["Error429"];
      500: components["responses"]["Error500"];
      503: components["responses"]["Error503"];
    };
  };
  /**
   * Resultados, como archivo CSV o de Excel; las mismas filas que su lista
   * @description Roles: Administrador, Emisor, Afiliado. También con una clave en X-API-Key.
   */
  "exports.results": {
    parameters: {
      query?: {
        from?: string;
        to?: string;
        issuer_id?: string;
        affiliate_id?: string;
        product_id?: string;
        dimension?: "utm_source" | "utm_medium" | "utm_campaign" | "utm_content" | "utm_term" | "sub1" | "sub2" | "sub3" | "sub4" | "sub5" | "sub6" | "sub7" | "sub8" | "sub9" | "sub10";
        by?: "value" | "day";
        search?: string;
        ordering?: "leads" | "-leads" | "approved" | "-approved" | "rejected" | "-rejected" | "earned" | "-earned" | "value" | "-value" | "day" | "-day";
        format?: "csv" | "xlsx";
      };
    };
    responses: {
      /** @description Hecho. */
      200: {
        headers: {
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
        };
        content: {
          "text/csv; charset=utf-8": string;
          "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
        };
      };
      400: components["responses"]["Error400"];
      401: components["responses"]["Error401"];
      403: components["responses"]["Error403"];
      409: components["responses"]["Error409"];
      414: components["responses"]["Error414"];
      429: components["responses"]["Error429"];
      500: components["responses"]["Error500"];
      503: components["responses"]["Error503"];
    };
  };
  /**
   * Eventos guardados, para conciliar: los de un lead o los que siguen a un cursor
   * @description Con la clave del emisor en X-API-Key.
   */
  "tracking.lookUp": {
    parameters: {
      query?: {
        /** @description Solo los de ese lead. */
        tracking_id?: string;
        /** @description El id del último evento que leíste; sin él, desde el primero. */
        since?: string;
        limit?: number;
      };
    };
    responses: {
      /** @description Hecho. */
      200: {
        headers: {
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
        };
        content: {
          "application/json": {
            /** @enum {boolean} */
            success: true;
            data: {
              results: ({
                  id: number;
                  event_id: string | null;
                  tracking_id: string;
                  step_id: number;
                  step_name: string;
                  event_type_name: string;
                  source: string;
                  event_data: (string | {
                    [key: string]: unknown;
                  }) | null;
                  occurred_at: string | null;
                  created_at: string;
                  is_voided: boolean;
                })[];
              /** @description El since de la página que sigue; null en la última. */
              next: string | null;
            };
            message: string | null;
            errors: null;
            meta: {
              request_id: string;
              code?: string;
              field_errors?: {
                [key: string]: string[];
              };
              sums?: {
                [key: string]: string;
              };
              retryable?: boolean;
              warnings?: string[];
              truncated?: boolean;
              count_is_capped?: boolean;
              [key: string]: unknown;
            };
          };
        };
      };
      400: components["responses"]["Error400"];
      401: components["responses"]["Error401"];
      404: components["responses"]["Error404"];
      406: components["responses"]["Error406"];
      414: components["responses"]["Error414"];
      429: components["responses"]["Error429"];
      500: components["responses"]["Error500"];
      503: components["responses"]["Error503"];
    };
  };
  /**
   * Registrar un evento de un lead (servidor a servidor)
   * @description Con la clave del emisor en X-API-Key. El cuerpo, de hasta 64 KB. Un campo opcional que no se entiende se deja fuera y lo dice meta.warnings: EVENT_ID_IGNORED, OCCURRED_AT_IGNORED, etc. Un event_id vacío, 0 o sin reemplazar, como {transaction_id}, es como si no viniera.
   */
  "tracking.storeEvent": {
    parameters: {
      header?: {
        /** @description Otro nombre de event_id, si el cuerpo no lo trae y el evento va sin firma. */
        "Idempotency-Key"?: string;
        /** @description De la firma: el identificador del mensaje. */
        "webhook-id"?: string;
        /** @description De la firma: el momento, en segundos. */
        "webhook-timestamp"?: string;
        /** @description La firma: v1,<base64>; pueden ir varias separadas por un espacio. */
        "webhook-signature"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description El que llegó con la visita en la dirección del producto. Mayúsculas, guiones, espacios, llaves y comillas alrededor no importan. */
          tracking_id: string;
          /** @description El paso, por su número, que está en la pantalla Integración. Va exactamente uno de step_id, event_type_id, event_type y step_order. */
          step_id?: number;
          /** @description El paso, por el número de su tipo: 1 step_1, 2 step_2, 3 aprobado, 4 rechazado, 5 entregado. */
          event_type_id?: number;
          /** @description El paso, por el nombre de su tipo: step_1, step_2, aprobado, rechazado, entregado. Si el producto tiene varios de ese tipo, indica step_id. */
          event_type?: string;
          /** @description El paso, por su número de orden en el flujo del producto, como está en la pantalla Eventos. */
          step_order?: number;
          /** @description Tu identificador de lo que pasó: con él, un paso de un lead que ya se guardó no se guarda otra vez, sin importar cuándo se repita ni qué más diga. El mismo sirve para los demás pasos de ese lead, nunca para otro lead. Mándalo siempre que puedas. */
          event_id?: string;
          /** @description Sin event_id, distingue las veces que el mismo paso le pasa al mismo lead. */
          transaction_id?: string;
          /**
           * Format: date-time
           * @description Cuándo pasó: RFC 3339, o como lo escribe tu base de datos, o los segundos o milisegundos desde 1970; sin zona horaria es la hora de la Ciudad de México. Se guarda y se muestra; no decide ni montos ni orden.
           */
          occurred_at?: string;
          /** @description De cuál de tus sistemas viene; si falta, api. No uses panel ni conciliacion: así llama Afluente a lo que se hizo en pantalla o por archivo. */
          source?: string;
          /** @description En un rechazo, su motivo: uno de GET /api/v1/reject-reasons/. */
          reason_code?: string;
          /** @description Lo que quieras guardar con él, sin datos personales: un texto o un objeto, de hasta 16 KB y 8 niveles. */
          event_data?: string | {
            [key: string]: unknown;
          };
        };
      };
    };
    responses: {
      /** @description Ya se había guardado: duplicate es true. */
      200: {
        headers: {
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
        };
        content: {
          "application/json": {
            /** @enum {boolean} */
            success: true;
            data: {
              id: number | null;
              event_id: string | null;
              lead_id: number | null;
              tracking_id: string;
              step_id: number;
              step_name: string;
              duplicate: boolean;
              /** @enum {boolean} */
              test?: true;
              commission: {
                amount: string;
                /** @enum {string} */
                currency: "MXN";
                status: string;
              } | null;
            };
            message: string | null;
            errors: null;
            meta: {
              request_id: string;
              code?: string;
              field_errors?: {
                [key: string]: string[];
              };
              sums?: {
                [key: string]: string;
              };
              retryable?: boolean;
              warnings?: string[];
              truncated?: boolean;
              count_is_capped?: boolean;
              [key: string]: unknown;
            };
          };
        };
      };
      /** @description Se guardó ahora. */
      201: {
        headers: {
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
        };
        content: {
          "application/json": {
            /** @enum {boolean} */
            success: true;
            data: {
              id: number | null;
              event_id: string | null;
              lead_id: number | null;
              tracking_id: string;
              step_id: number;
              step_name: string;
              duplicate: boolean;
              /** @enum {boolean} */
              test?: true;
              commission: {
                amount: string;
                /** @enum {string} */
                currency: "MXN";
                status: string;
              } | null;
            };
            message: string | null;
            errors: null;
            meta: {
              request_id: string;
              code?: string;
              field_errors?: {
                [key: string]: string[];
              };
              sums?: {
                [key: string]: string;
              };
              retryable?: boolean;
              warnings?: string[];
              truncated?: boolean;
              count_is_capped?: boolean;
              [key: string]: unknown;
            };
          };
        };
      };
      400: components["responses"]["Error400"];
      401: components["responses"]["Error401"];
      404: components["responses"]["Error404"];
      406: components["responses"]["Error406"];
      409: components["responses"]["Error409"];
      413: components["responses"]["Error413"];
      414: components["responses"]["Error414"];
      415: components["responses"]["Error415"];
      422: components["responses"]["Error422"];
      429: components["responses"]["Error429"];
      500: components["responses"]["Error500"];
      503: components["responses"]["Error503"];
    };
  };
  /**
   * Registrar hasta 500 eventos; cada uno entero o nada
   * @description Con la clave del emisor en X-API-Key. El cuerpo, de hasta 1 MB y 20,000 valores en total, también los de event_data; si pasa, manda menos eventos en cada lote.
   */
  "tracking.storeBatch": {
    parameters: {
      header?: {
        /** @description De la firma: el identificador del mensaje. */
        "webhook-id"?: string;
        /** @description De la firma: el momento, en segundos. */
        "webhook-timestamp"?: string;
        /** @description La firma: v1,<base64>; pueden ir varias separadas por un espacio. */
        "webhook-signature"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          events: ({
              /** @description El que llegó con la visita en la dirección del producto. Mayúsculas, guiones, espacios, llaves y comillas alrededor no importan. */
              tracking_id: string;
              /** @description El paso, por su número, que está en la pantalla Integración. Va exactamente uno de step_id, event_type_id, event_type y step_order. */
              step_id?: number;
              /** @description El paso, por el número de su tipo: 1 step_1, 2 step_2, 3 aprobado, 4 rechazado, 5 entregado. */
              event_type_id?: number;
              /** @description El paso, por el nombre de su tipo: step_1, step_2, aprobado, rechazado, entregado. Si el producto tiene varios de ese tipo, indica step_id. */
              event_type?: string;
              /** @description El paso, por su número de orden en el flujo del producto, como está en la pantalla Eventos. */
              step_order?: number;
              /** @description Tu identificador de lo que pasó: con él, un paso de un lead que ya se guardó no se guarda otra vez, sin importar cuándo se repita ni qué más diga. El mismo sirve para los demás pasos de ese lead, nunca para otro lead. Mándalo siempre que puedas. */
              event_id?: string;
              /** @description Sin event_id, distingue las veces que el mismo paso le pasa al mismo lead. */
              transaction_id?: string;
              /**
               * Format: date-time
               * @description Cuándo pasó: RFC 3339, o como lo escribe tu base de datos, o los segundos o milisegundos desde 1970; sin zona horaria es la hora de la Ciudad de México. Se guarda y se muestra; no decide ni montos ni orden.
               */
              occurred_at?: string;
              /** @description De cuál de tus sistemas viene; si falta, api. No uses panel ni conciliacion: así llama Afluente a lo que se hizo en pantalla o por archivo. */
              source?: string;
              /** @description En un rechazo, su motivo: uno de GET /api/v1/reject-reasons/. */
              reason_code?: string;
              /** @description Lo que quieras guardar con él, sin datos personales: un texto o un objeto, de hasta 16 KB y 8 niveles. */
              event_data?: string | {
                [key: string]: unknown;
              };
            })[];
        };
      };
    };
    responses: {
      /** @description Hecho. */
      200: {
        headers: {
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
        };
        content: {
          "application/json": {
            /** @enum {boolean} */
            success: true;
            data: {
              results: ({
                  status: number;
                  /** @description STORED, DUPLICATE, TEST o por qué se rechazó. */
                  code: string;
                  message: string | null;
                  data: ({
                    id: number | null;
                    event_id: string | null;
                    lead_id: number | null;
                    tracking_id: string;
                    step_id: number;
                    step_name: string;
                    duplicate: boolean;
                    /** @enum {boolean} */
                    test?: true;
                    commission: {
                      amount: string;
                      /** @enum {string} */
                      currency: "MXN";
                      status: string;
                    } | null;
                  }) | null;
                  /** @description Los de meta.warnings que son de este evento. */
                  warnings?: string[];
                })[];
            };
            message: string | null;
            errors: null;
            meta: {
              request_id: string;
              code?: string;
              field_errors?: {
                [key: string]: string[];
              };
              sums?: {
                [key: string]: string;
              };
              retryable?: boolean;
              warnings?: string[];
              truncated?: boolean;
              count_is_capped?: boolean;
              [key: string]: unknown;
            };
          };
        };
      };
      400: components["responses"]["Error400"];
      401: components["responses"]["Error401"];
      404: components["responses"]["Error404"];
      406: components["responses"]["Error406"];
      409: components["responses"]["Error409"];
      413: components["responses"]["Error413"];
      414: components["responses"]["Error414"];
      415: components["responses"]["Error415"];
      422: components["responses"]["Error422"];
      429: components["responses"]["Error429"];
      500: components["responses"]["Error500"];
      503: components["responses"]["Error503"];
    };
  };
}
