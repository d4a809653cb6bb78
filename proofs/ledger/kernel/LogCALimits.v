(* Limits of sums, products and quotients of real powers, at infinity and at zero from above. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From LogCA Require Import LogCA LogCATactics.

Open Scope R_scope.

Section Limits.
  Context (F : (R -> Prop) -> Prop) {FF : Filter F}.

  Lemma lim_const : forall c : R, filterlim (fun _ : R => c) F (locally c).
  Proof. intros. apply filterlim_const. Qed.

  Lemma lim_plus : forall (f g : R -> R) (a b : R), filterlim f F (locally a) -> filterlim g F (locally b) ->
    filterlim (fun x : R => f x + g x) F (locally (a + b)).
  Proof.
    intros f g a b Hf Hg.
    eapply filterlim_comp_2; [exact Hf | exact Hg |].
    apply (filterlim_plus (V := R_NormedModule) a b).
  Qed.

  Lemma lim_opp : forall (f : R -> R) (a : R), filterlim f F (locally a) ->
    filterlim (fun x : R => - f x) F (locally (- a)).
  Proof.
    intros f a Hf. apply (filterlim_comp _ _ _ f Ropp F (locally a) _ Hf).
    apply (filterlim_opp (V := R_NormedModule) a).
  Qed.

  Lemma lim_minus : forall (f g : R -> R) (a b : R), filterlim f F (locally a) -> filterlim g F (locally b) ->
    filterlim (fun x : R => f x - g x) F (locally (a - b)).
  Proof. intros. unfold Rminus. apply (lim_plus f (fun x => - g x)); [| apply lim_opp]; assumption. Qed.

  Lemma lim_mult : forall (f g : R -> R) (a b : R), filterlim f F (locally a) -> filterlim g F (locally b) ->
    filterlim (fun x : R => f x * g x) F (locally (a * b)).
  Proof.
    intros f g a b Hf Hg.
    eapply filterlim_comp_2; [exact Hf | exact Hg |].
    apply (filterlim_mult (K := R_AbsRing) a b).
  Qed.

  Lemma lim_inv : forall (f : R -> R) (a : R), a <> 0 -> filterlim f F (locally a) ->
    filterlim (fun x : R => / f x) F (locally (/ a)).
  Proof.
    intros f a Ha Hf. apply (filterlim_comp _ _ _ f Rinv F (locally a) _ Hf).
    apply continuity_pt_filterlim. apply continuity_pt_inv; [| exact Ha].
    apply derivable_continuous_pt. apply derivable_pt_id.
  Qed.

  Lemma lim_div : forall (f g : R -> R) (a b : R), b <> 0 -> filterlim f F (locally a) ->
    filterlim g F (locally b) -> filterlim (fun x : R => f x / g x) F (locally (a / b)).
  Proof.
    intros. unfold Rdiv. apply (lim_mult f (fun x => / g x)); [| apply lim_inv]; assumption.
  Qed.

  Lemma lim_value : forall (f : R -> R) (a b : R), filterlim f F (locally a) -> a = b ->
    filterlim f F (locally b).
  Proof. intros. subst. assumption. Qed.

  Lemma lim_unique : forall (f : R -> R) (a b : R), ProperFilter F ->
    filterlim f F (locally a) -> filterlim f F (locally b) -> a = b.
  Proof.
    intros f a b P Ha Hb.
    exact (filterlim_locally_unique (V := R_NormedModule) (F := F) f a b Ha Hb).
  Qed.
End Limits.

Lemma power_vanishes_at_infinity : forall e, e < 0 ->
  filterlim (fun x => Rpower x e) (Rbar_locally' p_infty) (locally 0).
Proof.
  intros e He. apply filterlim_locally. intros [eps Heps]. exists (Rpower eps (/ e)). intros x Hx.
  assert (P : 0 < Rpower eps (/ e)) by apply Rpower_pos.
  assert (Q : 0 < Rpower x e) by apply Rpower_pos.
  assert (B : Rpower x e < eps).
  { replace eps with (Rpower (Rpower eps (/ e)) e).
    - apply Rpower_base_falls; assumption.
    - rewrite Rpower_mult, Rinv_l by lra. apply Rpower_1. assumption. }
  unfold ball; simpl; unfold AbsRing_ball, abs, minus, plus, opp; simpl.
  rewrite Rabs_right; lra.
Qed.

Lemma power_vanishes_at_zero : forall e, 0 < e ->
  filterlim (fun x => Rpower x e) (at_right 0) (locally 0).
Proof.
  intros e He. apply filterlim_locally. intros [eps Heps].
  assert (P : 0 < Rpower eps (/ e)) by apply Rpower_pos.
  exists (mkposreal _ P). intros x Hx Hpos.
  unfold ball in Hx; simpl in Hx; unfold AbsRing_ball, abs, minus, plus, opp in Hx; simpl in Hx.
  apply Rabs_def2 in Hx. destruct Hx as [Hx _].
  assert (Q : 0 < Rpower x e) by apply Rpower_pos.
  assert (B : Rpower x e < eps).
  { replace eps with (Rpower (Rpower eps (/ e)) e).
    - apply Rpower_base_lt; lra.
    - rewrite Rpower_mult, Rinv_l by lra. apply Rpower_1. assumption. }
  unfold ball; simpl; unfold AbsRing_ball, abs, minus, plus, opp; simpl.
  rewrite Rabs_right; lra.
Qed.

Lemma limit_at_infinity : forall (m : R) (f h : R -> R) (v : R), (forall x, 0 < x -> m < x -> f x = h x) ->
  filterlim h (Rbar_locally' p_infty) (locally v) -> is_lim f p_infty v.
Proof.
  intros m f h v E H. unfold is_lim. apply (filterlim_ext_loc h); [| exact H].
  exists (Rmax 0 m). intros x Hx. symmetry.
  apply E; [apply (Rle_lt_trans _ (Rmax 0 m)) | apply (Rle_lt_trans _ (Rmax 0 m))];
    try assumption; [apply Rmax_l | apply Rmax_r].
Qed.

(* The root of a linear trinomial as a function of what its coefficients depend on. *)
Lemma limit_of_linear_root : forall (k c l root h : R -> R) (m v : R),
  (forall x, (exists r, lower_root (k x) (c x) (l x) 1 r) ->
    lower_root (k x) (c x) (l x) 1 (root x)) ->
  (forall x, 0 < x -> m < x -> l x < k x) -> (forall x, 0 < x -> m < x -> 0 < c x) ->
  (forall x, 0 < x -> m < x -> c x / (k x - l x) = h x) ->
  filterlim h (Rbar_locally' p_infty) (locally v) -> is_lim root p_infty v.
Proof.
  intros k c l root h m v R K C E H. apply (limit_at_infinity m root h); [| exact H].
  intros x Hx Hm. specialize (K x Hx Hm). specialize (C x Hx Hm). rewrite <- (E x Hx Hm).
  assert (Q := R x (lower_root_linear _ _ _ _ eq_refl K C)).
  assert (P := lower_root_pos _ _ _ _ _ Q). apply lower_root_eq in Q.
  rewrite Rpower_1 in Q by exact P. apply (Rmult_eq_reg_r (k x - l x)); [| lra].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

Lemma limit_at_zero : forall (f h : R -> R) (v : R), (forall x, 0 < x -> f x = h x) ->
  filterlim h (at_right 0) (locally v) -> filterlim f (at_right 0) (locally v).
Proof.
  intros f h v E H. apply (filterlim_ext_loc h); [| exact H].
  exists (mkposreal 1 Rlt_0_1). intros x _ Hx. symmetry. apply E. exact Hx.
Qed.

Lemma limit_at_infinity_unique : forall (f : R -> R) (a b : R), is_lim f p_infty a -> is_lim f p_infty b -> a = b.
Proof.
  intros f a b Ha Hb. apply is_lim_unique in Ha. apply is_lim_unique in Hb.
  rewrite Ha in Hb. injection Hb. trivial.
Qed.

Lemma limit_at_zero_unique : forall (f : R -> R) (a b : R),
  filterlim f (at_right 0) (locally a) -> filterlim f (at_right 0) (locally b) -> a = b.
Proof. intros f a b. apply lim_unique; apply at_right_proper_filter. Qed.

Ltac tends :=
  lazymatch goal with
  | |- filterlim (fun _ => ?c) _ (locally _) => apply lim_const
  | |- filterlim (fun x => Rpower x ?e) (Rbar_locally' p_infty) _ =>
      apply power_vanishes_at_infinity; first [lra | nra]
  | |- filterlim (fun x => Rpower x ?e) (at_right 0) _ =>
      apply power_vanishes_at_zero; first [lra | nra]
  | |- filterlim (fun x => @?f x + @?g x) ?F _ => eapply (lim_plus F f g); tends
  | |- filterlim (fun x => @?f x - @?g x) ?F _ => eapply (lim_minus F f g); tends
  | |- filterlim (fun x => @?f x * @?g x) ?F _ => eapply (lim_mult F f g); tends
  | |- filterlim (fun x => @?f x / @?g x) ?F _ => eapply (lim_div F f g); [| tends | tends]
  | |- filterlim (fun x => - @?f x) ?F _ => eapply (lim_opp F f); tends
  end.

Ltac limit_value :=
  match goal with
  | |- filterlim _ ?F _ => eapply (lim_value F); [tends |]
  end.

(* The variable of a limit may be a namesake of one that is known: that one is put aside. *)
Ltac limit_same :=
  let x := fresh "limit_variable" in intro x; intros; cbv beta; same.

Ltac limit_side :=
  first [ solve [typeclasses eauto] | solve [same] | solve [nonzero]
        | solve [match goal with |- ?b <> 0 => ring_simplify b end; nonzero] ].
