(* Tactics of the ledger's proofs: signs, equality of expressions with powers, fractions cleared. *)

From Coq Require Import Reals Lra Psatz Classical.
From Coquelicot Require Import Coquelicot.
From LogCA Require Import LogCA.

Open Scope R_scope.

(* A goal that is a disjunction: the last part, if the others fail. *)
Lemma or_lt : forall (a b : R) (Q : Prop), (b <= a -> Q) -> a < b \/ Q.
Proof. intros a b Q H. destruct (Rlt_le_dec a b); [left | right]; auto. Qed.
Lemma or_le : forall (a b : R) (Q : Prop), (b < a -> Q) -> a <= b \/ Q.
Proof. intros a b Q H. destruct (Rle_lt_dec a b); [left | right]; auto. Qed.
Lemma or_gt : forall (a b : R) (Q : Prop), (a <= b -> Q) -> a > b \/ Q.
Proof. intros a b Q H. destruct (Rlt_le_dec b a); [left | right]; auto. Qed.
Lemma or_ge : forall (a b : R) (Q : Prop), (a < b -> Q) -> a >= b \/ Q.
Proof. intros a b Q H. destruct (Rle_lt_dec b a); [left | right]; auto. apply Rle_ge. assumption. Qed.
Lemma or_eq : forall (a b : R) (Q : Prop), (a <> b -> Q) -> a = b \/ Q.
Proof. intros a b Q H. destruct (Req_dec a b); [left | right]; auto. Qed.
Lemma or_ne : forall (a b : R) (Q : Prop), (a = b -> Q) -> a <> b \/ Q.
Proof. intros a b Q H. destruct (Req_dec a b); [right | left]; auto. Qed.
Lemma or_other : forall P Q : Prop, (~ P -> Q) -> P \/ Q.
Proof. intros P Q H. destruct (classic P); [left | right]; auto. Qed.

(* A goal by the contradiction of its negation. *)
Lemma contra_lt : forall a b : R, (b <= a -> False) -> a < b.
Proof. intros a b H. destruct (Rlt_le_dec a b); [assumption | contradiction (H r)]. Qed.
Lemma contra_le : forall a b : R, (b < a -> False) -> a <= b.
Proof. intros a b H. destruct (Rle_lt_dec a b); [assumption | contradiction (H r)]. Qed.
Lemma contra_eq : forall a b : R, (a < b -> False) -> (a > b -> False) -> a = b.
Proof. intros a b H I. destruct (Rtotal_order a b) as [K | [K | K]]; tauto. Qed.
Lemma ne_cases : forall a b : R, a <> 0 -> b = - a -> 0 < b \/ 0 < a.
Proof. intros a b H E. subst b. destruct (Rtotal_order a 0) as [K | [K | K]]; [left | | right]; lra. Qed.

(* A comparison whose difference is a fraction with a positive, or nonzero, denominator. *)
Lemma clear_lt : forall a b n d, b - a = n / d -> 0 < d -> a < b -> 0 < n.
Proof.
  intros a b n d E H K. replace n with ((b - a) * d) by (rewrite E; field; lra).
  apply Rmult_lt_0_compat; lra.
Qed.
Lemma clear_le : forall a b n d, b - a = n / d -> 0 < d -> a <= b -> 0 <= n.
Proof.
  intros a b n d E H K. replace n with ((b - a) * d) by (rewrite E; field; lra).
  apply Rmult_le_pos; lra.
Qed.
Lemma clear_eq : forall a b n d, a - b = n / d -> d <> 0 -> a = b -> n = 0.
Proof.
  intros a b n d E H K. replace n with ((a - b) * d) by (rewrite E; field; assumption).
  rewrite K. ring.
Qed.
Lemma clear_ne : forall a b n d, a - b = n / d -> d <> 0 -> a <> b -> n <> 0.
Proof.
  intros a b n d E H K Z. apply K. apply Rminus_diag_uniq. rewrite E, Z. field. assumption.
Qed.

Lemma square_pos : forall d, d <> 0 -> 0 < d ^ 2.
Proof. intros. apply pow2_gt_0. assumption. Qed.

Lemma product_nonzero : forall a b, a <> 0 -> b <> 0 -> a * b <> 0.
Proof. intros. apply Rmult_integral_contrapositive_currified; assumption. Qed.

(* A factor of what is not zero. *)
Lemma factor_nonzero : forall n m q, n <> 0 -> n = m * q -> q <> 0.
Proof. intros n m q H E Z. apply H. rewrite E, Z. ring. Qed.
Lemma factor_of_positive : forall n m q, 0 < n -> n = m * q -> q <> 0.
Proof. intros n m q H. apply factor_nonzero. lra. Qed.

(* Signs of expressions from the signs of their parts. *)
Ltac sign_atom := first [assumption | lra].

Ltac positive :=
  lazymatch goal with
  | |- _ > _ => apply Rlt_gt; positive
  | |- 0 < Rpower _ _ => apply Rpower_pos
  | |- 0 < exp _ => apply exp_pos
  | |- 0 < _ * _ => first [apply Rmult_lt_0_compat; positive | nra]
  | |- 0 < _ / _ => first [apply Rdiv_lt_0_compat; positive | lra]
  | |- 0 < / _ => apply Rinv_0_lt_compat; positive
  | |- 0 < _ ^ 2 => first [apply pow_lt; positive | apply square_pos; nonzero]
  | |- 0 < ?a ^ 4 =>
      first [apply pow_lt; positive
            | replace (a ^ 4) with ((a ^ 2) ^ 2) by ring; apply square_pos; nonzero]
  | |- 0 < _ ^ _ => apply pow_lt; positive
  | |- 0 < sqrt _ => apply sqrt_lt_R0; positive
  | |- 0 < _ + _ =>
      first [sign_atom | apply Rplus_lt_le_0_compat; [positive | nonnegative]
            | apply Rplus_le_lt_0_compat; [nonnegative | positive] | nra]
  | |- 0 < ln _ => rewrite <- ln_1; apply ln_increasing; lra
  | |- 0 < Rmin _ _ => apply Rmin_glb_lt; positive
  | |- 0 < Rmax ?a ?b =>
      first [ apply (Rlt_le_trans _ a); [positive | apply Rmax_l]
            | apply (Rlt_le_trans _ b); [positive | apply Rmax_r] ]
  | |- 0 < power _ _ => rewrite power_pos by positive; apply Rpower_pos
  | |- 0 < _ => first [sign_atom | nra]
  end
with nonnegative :=
  lazymatch goal with
  | |- _ >= _ => apply Rle_ge; nonnegative
  | |- 0 <= _ * _ => first [apply Rmult_le_pos; nonnegative | nra]
  | |- 0 <= _ + _ => first [sign_atom | apply Rplus_le_le_0_compat; nonnegative | nra]
  | |- 0 <= _ / _ =>
      first [apply Rmult_le_pos; [nonnegative | left; apply Rinv_0_lt_compat; positive] | lra]
  | |- 0 <= / _ => left; apply Rinv_0_lt_compat; positive
  | |- 0 <= _ ^ 2 => apply pow2_ge_0
  | |- 0 <= _ ^ _ => apply pow_le; nonnegative
  | |- 0 <= sqrt _ => apply sqrt_pos
  | |- 0 <= power _ _ => apply power_nonneg
  | |- 0 <= Rabs _ => apply Rabs_pos
  | |- 0 <= Rmin _ _ => apply Rmin_glb; nonnegative
  | |- 0 <= Rmax ?a ?b =>
      first [ apply (Rle_trans _ a); [nonnegative | apply Rmax_l]
            | apply (Rle_trans _ b); [nonnegative | apply Rmax_r] ]
  | |- 0 <= Rpower _ _ => left; apply Rpower_pos
  | |- 0 <= exp _ => left; apply exp_pos
  | |- 0 <= _ => first [sign_atom | left; positive]
  end
with nonzero :=
  lazymatch goal with
  | |- _ /\ _ => split; nonzero
  | |- _ * _ <> 0 => first [apply product_nonzero; nonzero | nonzero_atom]
  | |- / _ <> 0 => apply Rinv_neq_0_compat; nonzero
  | |- _ ^ _ <> 0 => apply pow_nonzero; nonzero
  | |- Rpower _ _ <> 0 => apply Rpower_nonzero
  | |- _ <> 0 => nonzero_atom
  end
with nonzero_atom :=
  first [assumption | apply Rgt_not_eq; positive | apply Rlt_not_eq; lra
        | solve [apply Rgt_not_eq; match goal with |- ?a > 0 => ring_simplify a end; positive]
        | match goal with
          | H : ?b <> 0 |- ?a <> 0 =>
              first [ replace a with b by ring; exact H
                    | replace a with (- b) by ring; apply Ropp_neq_0_compat; exact H ]
          end
        | let E := fresh in intro E; first [lra | nra]].

(* Powers of products, quotients and powers become products of powers of what cannot be split. *)
Lemma Rpower_negative : forall a p, Rpower a (IZR (Zneg p)) = / Rpower a (IZR (Zpos p)).
Proof. intros a p. rewrite <- Rpower_Ropp. apply f_equal. rewrite <- opp_IZR. reflexivity. Qed.

Lemma Rpower_negative_quotient : forall a p q,
  Rpower a (IZR (Zneg p) / q) = / Rpower a (IZR (Zpos p) / q).
Proof.
  intros a p q. rewrite <- Rpower_Ropp. apply f_equal.
  change (Zneg p) with (- Zpos p)%Z. rewrite opp_IZR. unfold Rdiv. ring.
Qed.

(* Powers whose bases or exponents are equal by algebra, but written differently. *)
Ltac alike :=
  first [ reflexivity | ring | solve [field; nonzero]
        | solve [rewrite Rpower_difference, ?Rpower_1 by positive; field; nonzero] ].
Ltac unify_powers :=
  repeat match goal with
  | |- context [Rmax (Rmax ?a ?b) ?c] => rewrite <- (Rmax_assoc a b c)
  | |- context [Rmin (Rmin ?a ?b) ?c] => rewrite <- (Rmin_assoc a b c)
  | |- context [power ?a ?e] =>
      match goal with
      | |- context [power ?b ?d] =>
          tryif (constr_eq a b; constr_eq e d) then fail else
          replace (power b d) with (power a e) by (apply f_equal2; alike)
      end
  | |- context [Rpower ?a ?e] =>
      match goal with
      | |- context [Rpower ?b ?d] =>
          tryif (constr_eq a b; constr_eq e d) then fail else
          first
          [ replace (Rpower b d) with (Rpower a e) by (apply f_equal2; alike)
          | replace (Rpower b d) with (/ Rpower a e)
              by (rewrite <- Rpower_Ropp; apply f_equal2; alike)
          | replace (Rpower b d) with (a * Rpower a e)
              by (rewrite <- (Rpower_1 a) at 1 by positive; rewrite <- Rpower_plus;
                  apply f_equal2; alike)
          | replace (Rpower b d) with (Rpower a e / a)
              by (rewrite <- (Rpower_1 a) at 2 by positive; rewrite <- Rpower_difference;
                  apply f_equal2; alike) ]
      end
  | |- context [Rmax ?a ?e] =>
      match goal with
      | |- context [Rmax ?b ?d] =>
          tryif (constr_eq a b; constr_eq e d) then fail else
          first [ replace (Rmax b d) with (Rmax a e) by (apply f_equal2; alike)
                | replace (Rmax b d) with (Rmax a e) by (rewrite Rmax_comm; apply f_equal2; alike) ]
      end
  | |- context [Rmin ?a ?e] =>
      match goal with
      | |- context [Rmin ?b ?d] =>
          tryif (constr_eq a b; constr_eq e d) then fail else
          first [ replace (Rmin b d) with (Rmin a e) by (apply f_equal2; alike)
                | replace (Rmin b d) with (Rmin a e) by (rewrite Rmin_comm; apply f_equal2; alike) ]
      end
  | |- context [ln ?a] =>
      match goal with
      | |- context [ln ?b] =>
          tryif (constr_eq a b) then fail else
          replace (ln b) with (ln a) by (apply f_equal; alike)
      end
  end.

Ltac powers :=
  repeat match goal with
  | |- context [power ?a ?e] => rewrite (power_pos a e) by positive
  end;
  repeat match goal with
  | |- context [sqrt ?a] => rewrite (sqrt_as_power a) by positive
  end;
  repeat first
  [ rewrite Rpower_base_one
  | rewrite ln_1
  | match goal with
    | |- context [ln (Rpower ?a ?e)] => rewrite (Rpower_ln a e)
    | |- context [ln (exp ?a)] => rewrite (ln_exp a)
    | |- context [ln (?a * ?b)] => rewrite (ln_mult a b) by positive
    | |- context [ln (?a / ?b)] => rewrite (ln_quotient a b) by positive
    | |- context [ln (/ ?a)] => rewrite (ln_Rinv a) by positive
    | |- context [ln (?a ^ ?n)] => rewrite (ln_nat_power a n) by positive; simpl INR
    end
  | match goal with
    | |- context [Rpower (Rpower ?a ?d) ?e] => rewrite (Rpower_mult a d e)
    | |- context [Rpower (?a * ?b) ?e] => rewrite (Rpower_product a b e) by positive
    | |- context [Rpower (?a / ?b) ?e] => rewrite (Rpower_quotient a b e) by positive
    | |- context [Rpower (/ ?a) ?e] => rewrite (Rpower_of_inverse a e) by positive
    | |- context [Rpower (?a ^ ?n) ?e] => rewrite (Rpower_nat_base a n e) by positive
    | |- context [Rpower ?a 1] => rewrite (Rpower_1 a) by positive
    | |- context [Rpower ?a 2] => rewrite (Rpower_two a) by positive
    | |- context [Rpower ?a 3] => rewrite (Rpower_three a) by positive
    | |- context [Rpower ?a (2 * ?e)] => rewrite (Rpower_two_times a e)
    | |- context [Rpower ?a (3 * ?e)] => rewrite (Rpower_three_times a e)
    | |- context [Rpower ?a (?d + ?e)] => rewrite (Rpower_plus d e a)
    | |- context [Rpower ?a (?d - ?e)] => rewrite (Rpower_difference a d e)
    | |- context [Rpower ?a (- ?e)] => rewrite (Rpower_Ropp a e)
    | |- context [Rpower ?a (IZR (Zneg ?p) / ?q)] => rewrite (Rpower_negative_quotient a p q)
    | |- context [Rpower ?a (/ (?p / ?q))] => replace (/ (p / q)) with (q / p) by (field; nonzero)
    | |- context [Rpower ?a (?p / 1)] => replace (p / 1) with p by field
    | |- context [Rpower ?b ?e] =>
        match b with
        | context [?x / ?r + ?y / ?r] =>
            replace (x / r + y / r) with ((x + y) / r) by (field; nonzero)
        end
    | |- context [Rpower (?a * ?c - ?c) ?e] => replace (a * c - c) with (c * (a - 1)) by ring
    | |- context [Rpower ?a (IZR (Zneg ?p))] => rewrite (Rpower_negative a p)
    | |- context [Rpower ?a ?e] =>
        lazymatch e with
        | context [Rinv _] => idtac
        | context [Rdiv _ _] => idtac
        end;
        first
        [ replace (Rpower a e) with a
            by (symmetry; transitivity (Rpower a 1);
                [apply f_equal; field; nonzero | apply Rpower_1; positive])
        | replace (Rpower a e) with (/ a)
            by (symmetry; transitivity (Rpower a (- (1)));
                [apply f_equal; field; nonzero | rewrite Rpower_Ropp, Rpower_1 by positive; reflexivity]) ]
    end ].

(* Maxima, minima, absolute values and definitions by cases, one case after the other. *)
Ltac split_cases :=
  try unfold Rmax in *; try unfold Rmin in *; try unfold Rabs in *;
  repeat match goal with
  | |- context [Rle_dec ?a ?b] => destruct (Rle_dec a b)
  | |- context [Rlt_dec ?a ?b] => destruct (Rlt_dec a b)
  | |- context [Rge_dec ?a ?b] => destruct (Rge_dec a b)
  | |- context [Rgt_dec ?a ?b] => destruct (Rgt_dec a b)
  | |- context [Req_EM_T ?a ?b] => destruct (Req_EM_T a b)
  | |- context [Rcase_abs ?a] => destruct (Rcase_abs a)
  | H : context [Rle_dec ?a ?b] |- _ => destruct (Rle_dec a b)
  | H : context [Rlt_dec ?a ?b] |- _ => destruct (Rlt_dec a b)
  | H : context [Rge_dec ?a ?b] |- _ => destruct (Rge_dec a b)
  | H : context [Rgt_dec ?a ?b] |- _ => destruct (Rgt_dec a b)
  | H : context [Req_EM_T ?a ?b] |- _ => destruct (Req_EM_T a b)
  | H : context [Rcase_abs ?a] |- _ => destruct (Rcase_abs a)
  end;
  repeat match goal with
  | H : ~ _ <= _ |- _ => apply Rnot_le_lt in H
  | H : ~ _ < _ |- _ => apply Rnot_lt_le in H
  | H : ~ _ >= _ |- _ => apply Rnot_ge_lt in H
  | H : ~ _ > _ |- _ => apply Rnot_gt_le in H
  end.

(* The power of a root is what the root was taken of, zero too. *)
Lemma power_of_root : forall x b, 0 <= x -> 0 < b -> power (power x (/ b)) b = x.
Proof.
  intros x b Hx Hb. destruct Hx as [Hx | Hx].
  - rewrite (power_pos x) by assumption. rewrite power_pos by apply Rpower_pos.
    rewrite Rpower_mult. replace (/ b * b) with 1 by (field; lra). apply Rpower_1. assumption.
  - subst x. rewrite !power_zero. reflexivity.
Qed.
Ltac roots :=
  repeat match goal with
  | |- context [power (power ?x (1 / ?b)) ?b] => replace (1 / b) with (/ b) by (field; nonzero)
  | |- context [power (power ?x (/ ?b)) ?b] =>
      rewrite (power_of_root x b) by first [nonnegative | positive]
  end.

(* A number is positive where something that vanishes with it does not. *)
Ltac else_vanishes x domain :=
  try apply Rlt_gt; apply (nonnegative_nonzero x domain);
  let E := fresh in
  intro E;
  repeat match goal with
  | H : context [power x ?e] |- _ =>
      replace (power x e) with 0 in H by (rewrite E; symmetry; apply power_zero)
  end;
  match goal with H : _ <> 0 |- _ => apply H; first [ring | rewrite E; field; nonzero] end.

(* Equality of expressions with powers. *)
Ltac same_without_cases :=
  first
  [ reflexivity | ring | solve [field; nonzero]
  | solve [progress unify_powers; first [ring | field; nonzero]]
  | solve [repeat match goal with |- context [power ?a ?e] => rewrite (power_pos a e) by positive end;
           progress unify_powers; first [ring | field; nonzero]]
  | solve [powers; first [ring | field; nonzero]]
  | solve [powers; progress unify_powers; first [ring | field; nonzero]]
  | solve [progress roots; first [ring | field; nonzero]] ].

(* Absolute values of what has a sign that is seen. *)
Ltac absolutes :=
  rewrite ?Rabs_Ropp in *;
  repeat match goal with
  | |- context [Rabs ?a] => rewrite (Rabs_pos_eq a) in * by nonnegative
  | H : context [Rabs ?a] |- _ => rewrite (Rabs_pos_eq a) in * by nonnegative
  end.

(* Quotients become numbers of which their product with the denominator is known. *)
Ltac quotient a b :=
  let q := fresh "q" in
  let E := fresh in
  assert (E : a / b * b = a) by (field; nonzero);
  set (q := a / b) in *; clearbody q.
Ltac quotients :=
  repeat match goal with
  | |- context [?a / ?b] => quotient a b
  | H : context [?a / ?b] |- _ => quotient a b
  end.

Ltac by_cases :=
  split_cases;
  first [ exfalso; lra | lra | same_without_cases | solve [subst; same_without_cases] | positive | nonnegative | nra | exfalso; nra ].

Ltac same :=
  first
  [ same_without_cases
  | lazymatch goal with
    | |- context [Rmax _ _] => idtac
    | |- context [Rmin _ _] => idtac
    | |- context [Rabs _] => idtac
    | |- context [Rlt_dec _ _] => idtac
    | |- context [Rle_dec _ _] => idtac
    | |- context [Rgt_dec _ _] => idtac
    | |- context [Rge_dec _ _] => idtac
    | |- context [Req_EM_T _ _] => idtac
    end;
    first [ solve [absolutes; same_without_cases] | by_cases ] ].

(* What defines the variables of an abstraction. *)
Ltac fact_part :=
  first [ lra | solve [positive] | solve [nonnegative] | solve [same] | solve [nonzero] | nra
        | solve [quotients; first [lra | nra]] ].
Ltac fact :=
  first
  [ fact_part
  | try unfold power; split_cases;
    first [ fact_part | left; fact_part | right; fact_part | right; left; fact_part
          | right; right; fact_part ] ].

Ltac clearbody_all := repeat match goal with v := _ : R |- _ => clearbody v end.

(* The end of a proof: polynomials that contradict each other. *)
Ltac finish := first [lra | nra].

(* Derivatives, by the rules and then by algebra. *)
Ltac powers_again :=
  repeat match goal with
  | |- context [exp (?z * ln ?x)] => change (exp (z * ln x)) with (Rpower x z)
  end.

Ltac sides :=
  repeat match goal with |- _ /\ _ => split end;
  first [exact I | powers_again; first [positive | nonzero]].

Lemma derive_power : forall (u : R -> R) e x d, is_derive u x d -> 0 < u x ->
  is_derive (fun t => power (u t) e) x (e * Rpower (u x) e / u x * d).
Proof.
  intros u e x d D H.
  apply (is_derive_ext_loc (fun t => Rpower (u t) e)).
  - assert (C : continuous u x) by (apply (ex_derive_continuous u x); exists d; exact D).
    assert (N : locally (u x) (fun y => 0 < y)) by (exact (open_gt 0 (u x) H)).
    specialize (C _ N). unfold filtermap in C. revert C. apply filter_imp.
    intros t Ht. symmetry. apply power_pos. exact Ht.
  - evar_last.
    + apply (is_derive_comp (fun y => Rpower y e) u x (e * Rpower (u x) e / u x) d).
      * apply power_derivative. exact H.
      * exact D.
    + unfold scal; simpl; unfold mult; simpl. ring.
Qed.

Ltac derivative :=
  simpl;
  lazymatch goal with
  | |- is_derive (fun x => power (@?u x) ?e) _ _ =>
      evar_last; [eapply (derive_power u); [auto_derive; [sides | reflexivity] | cbv beta; positive] | cbv beta; same]
  | |- _ => unfold Rpower; auto_derive; [sides | powers_again; same]
  end.

Lemma derive_twice : forall f f1 x l, 0 < x ->
  (forall y, 0 < y -> is_derive f y (f1 y)) -> is_derive f1 x l -> is_derive_n f 2 x l.
Proof.
  intros f f1 x l Hx D D1. simpl.
  apply (is_derive_ext_loc f1); [| exact D1].
  exists (mkposreal x Hx). intros y Hy. symmetry. apply is_derive_unique. apply D.
  apply Rabs_def2 in Hy. unfold minus, plus, opp in Hy; simpl in Hy. lra.
Qed.

Lemma derive_thrice : forall f f1 f2 x l, 0 < x ->
  (forall y, 0 < y -> is_derive f y (f1 y)) -> (forall y, 0 < y -> is_derive f1 y (f2 y)) ->
  is_derive f2 x l -> is_derive_n f 3 x l.
Proof.
  intros f f1 f2 x l Hx D D1 D2.
  change (is_derive (Derive_n f 2) x l).
  apply (is_derive_ext_loc f2); [| exact D2].
  exists (mkposreal x Hx). intros y Hy. symmetry. apply is_derive_n_unique.
  apply (derive_twice f f1); [| exact D | apply D1].
  - apply Rabs_def2 in Hy. unfold minus, plus, opp in Hy; simpl in Hy. lra.
  - apply Rabs_def2 in Hy. unfold minus, plus, opp in Hy; simpl in Hy. lra.
Qed.
